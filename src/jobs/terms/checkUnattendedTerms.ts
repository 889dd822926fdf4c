import { readJobRepo } from '../../providers/forges.ts';
import type { CheckedJob } from '../create/checkJobRequest.ts';
import type { CreateJobDeps } from '../create/createJobDeps.ts';
import { refuseUnenforced, type CappedPhase } from './enforcement.ts';
import { resolveRequestedSubRuns } from '../create/estimateCheckedJob.ts';
import { describeSandboxTerms } from './describeSandboxTerms.ts';
import { listMentionedWorkflows } from '../../workflows/definition/textRules.ts';
import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import type { NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';
import { hasOpenCheckpoint } from '../../../machines/index.ts';
import type { Account } from '../../policy/budgets/admitSession.ts';
import { describeOvershoot } from '../../policy/budgets/estimates.ts';
import { formatAmount } from '../../base/spending/budgetScopes.ts';

const formatCapLine = ({ scope, key, metric, cap, spent, by }: Account): string =>
  `${scope}${key === '' ? '' : ` ${key}`}: at most ${formatAmount(metric, cap)}${spent > 0 ? `, ${formatAmount(metric, spent)} of it spent` : ''} (${by})`;

/** What caps a phase whose calls cost no dollars; only where a cap on dollars does not. */
function describeFreeCalls({ call, accounts }: CappedPhase): string {
  if (call.metered || !accounts.some(({ metric }) => metric === 'usd')) return '';
  const others = accounts.filter(({ metric }) => metric !== 'usd');
  const caps = others.map(({ scope, metric, cap }) => `${formatAmount(metric, cap)} (${scope})`);
  return `; its calls cost no dollars, so ${caps.length === 0 ? 'that only the time stops it' : `it is capped by ${caps.join(', ')}`}`;
}

/** Who runs a phase, and how its caps are enforced. */
function describeCappedPhase(phase: CappedPhase, own: string): string {
  const { workflowPath, name, fallback, provider, model, call, accounts } = phase;
  const place = workflowPath === own ? '' : ` of ${workflowPath}`;
  const when =
    fallback === null
      ? ''
      : `, while the account of its model is exhausted (fallback ${fallback}),`;
  const isCapped = accounts.some(
    ({ metric }) => metric === 'tokens' || (metric === 'usd' && call.metered),
  );
  const over = isCapped ? `; a session can exceed its caps by ${describeOvershoot(call)}` : '';
  return `${name}${place}${when} is run by ${provider}${model === null ? '' : `, model ${model}`}${over}${describeFreeCalls(phase)}`;
}

/**
 * What an unattended job may spend and do, one sentence or clause each. `phases`: those that it can
 * reach.
 */
export function describeUnattendedTerms(
  { workflowPath, workflow, params, interactive }: NewJob,
  { accounts, phases }: { accounts: readonly Account[]; phases: readonly CappedPhase[] },
): string[] {
  const { until } = Object(params.unattended) as { until?: string };
  const checkpoints = workflow.phases.filter((one) => hasOpenCheckpoint(one, params));
  const waits = checkpoints.map(({ name }) => name).join(', ');
  const halts =
    workflow.coordinator?.enabled === true &&
    workflow.coordinator.failurePolicy === 'halt-on-failure';
  return [
    `It works until ${until}. After that no session starts; a running session ends at its next tool call, within two minutes. The job then stays paused.`,
    ...(accounts.length === 0
      ? ['No budget has a limit: until then its spending is unlimited.']
      : accounts.map(formatCapLine)),
    ...new Set(phases.map((phase) => describeCappedPhase(phase, workflowPath))),
    waits === ''
      ? 'No phase waits for an approval.'
      : `It waits for a person at the end of ${waits}.`,
    ...(halts ? ['It waits for a person when a sub-run fails.'] : []),
    `Agents write only where the job is${Array.isArray(params.writesTo) ? `, and to ${params.writesTo.join(', ')}` : ''}; they merge only where a phase lists that tool, and only what others approved.${interactive ? '' : ' No one is watching it.'}`,
  ];
}

/**
 * The job as it begins, and with each workflow that it can reach by name: those that its agents are
 * asked to switch to, that of its sub-runs, and theirs in turn. Invalid workflows are left out,
 * since nothing can start with them.
 */
export function listReachableJobs(overlay: OpenOverlay, job: NewJob): NewJob[] {
  const reachedJobs = new Map([[job.workflowPath, job]]);
  for (const { workflowPath, workflow } of reachedJobs.values()) {
    const { coordinator } = workflow;
    const below = coordinator?.enabled === true ? coordinator.subRunWorkflowPath : null;
    const agents = workflow.phases.flatMap(({ agent }) => agent ?? []);
    const texts = [workflowPath, ...agents].filter((path) => overlay.has(path));
    const mentionedPaths = texts.flatMap((path) => listMentionedWorkflows(overlay.text(path)));
    for (const path of below === null ? mentionedPaths : [below, ...mentionedPaths]) {
      if (reachedJobs.has(path) || !overlay.has(path)) continue;
      const { table } = overlay.workflow(path);
      if (table) reachedJobs.set(path, { ...job, workflowPath: path, workflow: table });
    }
  }
  return [...reachedJobs.values()];
}

/**
 * What an unattended job may spend and do; undefined for any other job. Throws SvcError
 * `cannot-run` if one of its caps cannot be enforced in a phase that it can reach, be it its own,
 * of its sub-runs or of a workflow that its agents are asked to switch to.
 */
export async function checkUnattendedTerms(
  deps: CreateJobDeps,
  job: CheckedJob,
): Promise<string[] | undefined> {
  const { enforcement, workplace } = deps;
  if (job.params.unattended === undefined) return undefined;
  const { overlay } = await workplace.overlay(readJobRepo(job.params));
  const accounts = enforcement.accounts(job);
  const campaign = accounts.filter(({ scope }) => scope === 'campaign');
  const phases = [
    ...listReachableJobs(overlay, job).flatMap((one) => enforcement.phases(one)),
    ...(await resolveRequestedSubRuns(deps, job)).flatMap((one) =>
      enforcement.phases(one, campaign),
    ),
  ];
  refuseUnenforced(phases, job.workflowPath);
  return [
    ...describeUnattendedTerms(job, { accounts, phases }),
    ...(await describeSandboxTerms(deps)),
  ];
}
