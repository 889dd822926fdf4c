import type { TakeoverPolicy, TeamHome } from '../../src/contract/schema/cloud/home.ts';
import { formatCount } from '../../src/base/text/formatCount.ts';

/** What happens with the jobs of a machine that is lost. */
export const POLICY_TEXT: Readonly<Record<TakeoverPolicy, string>> = {
  auto: 'Another runner continues its jobs',
  parked: 'Another runner, unless an agent is at work',
  never: 'Its jobs wait until it is back',
};

export const POLICIES = Object.keys(POLICY_TEXT) as TakeoverPolicy[];

const WAITS: Readonly<Record<string, string>> = {
  seeding: 'its first copy is not complete at the control plane',
  restored: 'the database of the control plane was restored, and the machine may have more than it',
  never: 'its owner does not want it',
  'in-session': 'an agent was at work there',
  lease: 'it may come back any moment',
  'no-runner': 'no other runner that could is connected',
  'not-accepted': 'no other runner takes the jobs of its owner',
  'runner-too-old': 'the other runners have an older version of svc',
  'no-slot': 'the other runners continue as many homes as they can',
  refused: 'every other runner has refused',
};

const AHEAD = 'This machine has more than the control plane, whose database was restored.';

/** Why no other runner continues the jobs of one that is away; null = nothing has to be said. */
export const describeHomeWait = ({ wait, jobs }: Pick<TeamHome, 'wait' | 'jobs'>): string | null =>
  wait === 'ahead'
    ? `${AHEAD} svc cloud reseed there decides which state counts.`
    : wait === null || wait === 'connected' || jobs.length === 0
      ? null
      : wait === 'asked'
        ? 'Another runner fetches them and continues them soon.'
        : `Not continued elsewhere: ${WAITS[wait] ?? wait}.`;

/** What would be lost with a machine: null = nothing that is known. */
export function describeLoss({ jobs, wait }: Pick<TeamHome, 'jobs' | 'wait'>): string | null {
  const atWork = jobs.filter(({ isInSession }) => isInSession).length;
  const losses = [
    wait === 'restored' &&
      'What only this machine has since the backup of the database is not continued.',
    atWork > 0 &&
      `An agent was at work on ${formatCount(atWork, 'job', 'jobs')}: what it had not committed or pushed is lost, and its conversation begins again.`,
  ].filter((text) => text !== false);
  return losses.length === 0 ? null : losses.join(' ');
}

/** Waits that a person can end. */
const DECIDABLE: ReadonlySet<string> = new Set(['never', 'in-session', 'restored']);

/** Whether a person can let another runner continue the jobs of a machine that is away. */
export const canRelease = ({ wait, jobs }: Pick<TeamHome, 'wait' | 'jobs'>): boolean =>
  jobs.length > 0 && wait !== null && DECIDABLE.has(wait);
