import { holdsForApproval } from '../../machines/index.ts';
import { executorOf, phaseModel } from '../authoring/workflows/phaseModel.ts';
import type { Account } from '../budgets/admit.ts';
import type { NewJob } from '../budgets/newJob.ts';
import { amountText } from '../domain/budgetScopes.ts';
import { SvcError } from '../lib/errors.ts';
import type { Settings } from '../schema/settings.ts';

/**
 * Providers whose sessions report their tokens. What programs of the user's own report, and
 * installed executors, is not known in advance; codex-acp reports nothing.
 */
const REPORTS_TOKENS: ReadonlySet<string> = new Set([
  'builtin',
  'claude',
  'acp:gemini',
  'acp:opencode',
  'acp:claude-agent-acp',
]);

interface TermsDeps {
  settings: Pick<Settings, 'llm'>;
  /** The budgets that the job will be under. */
  accounts: readonly Account[];
}

/** One of its phases with an agent, and who runs it. */
const agentsOf = ({ workflow }: NewJob, { llm }: TermsDeps['settings']) =>
  workflow.phases
    .filter(({ agent }) => agent !== null)
    .map((phase) => ({ phase, ...phaseModel(llm, phase) }));

/**
 * Refuses a job that is to work unattended under a cap that the runner could not enforce: its
 * executor is not known to report what the cap counts. Throws SvcError `cannot-run`.
 */
export function refuseUnenforced(job: NewJob, { settings, accounts }: TermsDeps): void {
  const cap = accounts.find(({ metric }) => metric === 'usd' || metric === 'tokens');
  const blind = agentsOf(job, settings).find(({ provider }) => !REPORTS_TOKENS.has(provider));
  if (cap === undefined || blind === undefined) return;
  const { metric, scope } = cap;
  throw new SvcError(
    'cannot-run',
    `The job cannot work unattended: the cap of ${amountText(metric, cap.cap)} for the ${scope} cannot be enforced in the phase ${blind.phase.name}, because ${blind.provider} is not known to report its tokens. Run the phase with an executor that does (builtin, claude, acp:gemini, acp:opencode), or cap sessions and minutes in place of ${metric === 'usd' ? 'dollars' : 'tokens'}.`,
  );
}

const capLine = ({ scope, key, metric, cap, spent, by }: Account): string =>
  `${scope}${key === '' ? '' : ` ${key}`}: at most ${amountText(metric, cap)}${spent > 0 ? `, ${amountText(metric, spent)} of it spent` : ''} (${by})`;

/** What a job that works unattended may spend and do, a sentence or clause each. */
export function unattendedTerms(job: NewJob, { settings, accounts }: TermsDeps): string[] {
  const { params, workflow, interactive } = job;
  const { until } = Object(params.unattended) as { until?: string };
  const caps = accounts.map(capLine);
  const held = workflow.phases.filter((one) => holdsForApproval(one, params));
  const waits = held.map(({ name }) => name).join(', ');
  const halts =
    workflow.coordinator?.enabled === true &&
    workflow.coordinator.failurePolicy === 'halt-on-failure';
  return [
    `It works until ${until}. After that no session starts; one that runs ends at its next tool call, at the latest two minutes later. The job then rests paused.`,
    ...(caps.length === 0
      ? ['No budget is capped: until then it may spend without a bound.']
      : caps),
    ...agentsOf(job, settings).map(
      ({ phase, provider, model }) =>
        `${phase.name} is run by ${provider}${typeof model === 'string' ? `, model ${model}` : ''}${executorOf(provider) === 'builtin' ? ', which stops between two calls of its model' : ''}`,
    ),
    waits === ''
      ? 'No phase waits for an approval.'
      : `It waits for a person at the end of ${waits}.`,
    ...(halts ? ['It waits for a person when a sub-run fails.'] : []),
    `Agents write only where the job is${Array.isArray(params.writesTo) ? `, and to ${params.writesTo.join(', ')}` : ''}; they merge only where a phase lists that tool, and what others approved.${interactive ? '' : ' No one attends to it.'}`,
  ];
}
