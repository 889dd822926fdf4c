import { hasOpenCheckpoint } from '../../../machines/index.ts';
import type { Account } from '../../policy/budgets/admitSession.ts';
import type { NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';
import { describeOvershoot } from '../../policy/budgets/describeOvershoot.ts';
import { formatAmount } from '../../base/spending/budgetScopes.ts';
import type { CappedPhase } from './enforcement.ts';

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
  const held = workflow.phases.filter((one) => hasOpenCheckpoint(one, params));
  const waits = held.map(({ name }) => name).join(', ');
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
