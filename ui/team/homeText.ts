import type { TakeoverPolicy, TeamHome } from '../../src/contract/schema/cloud/home.ts';
import { formatCount } from '../../src/base/text/formatCount.ts';

/** What happens with the jobs of a machine that is lost. */
export const POLICY_TEXT: Readonly<Record<TakeoverPolicy, string>> = {
  auto: 'Another runner continues them',
  parked: 'Another runner continues them, unless an agent is at work',
  never: 'They wait until it is back',
};

export const POLICIES = Object.keys(POLICY_TEXT) as TakeoverPolicy[];

const WAITS: Readonly<Record<string, string>> = {
  seeding: 'its first copy is not complete at the control plane',
  ahead: 'it has more than the control plane, whose database was restored',
  never: 'its owner does not want it',
  'in-session': 'an agent was at work there',
  lease: 'it may come back any moment',
  'no-runner': 'no other runner that could is connected',
  'not-accepted': 'no other runner takes the jobs of its owner',
  'runner-too-old': 'the other runners have an older version of svc',
  'no-slot': 'the other runners continue as many homes as they can',
  refused: 'every other runner has refused',
};

/** Why no other runner continues the jobs of one that is away; null = nothing has to be said. */
export const describeHomeWait = ({ wait, jobs }: Pick<TeamHome, 'wait' | 'jobs'>): string | null =>
  wait === null || wait === 'connected' || jobs.length === 0
    ? null
    : wait === 'asked'
      ? 'Another runner fetches them and continues them soon.'
      : `Not continued elsewhere: ${WAITS[wait] ?? wait}.`;

/** What would be lost with a machine: null = nothing that is known. */
export function describeLoss({ jobs }: Pick<TeamHome, 'jobs'>): string | null {
  const atWork = jobs.filter(({ isInSession }) => isInSession).length;
  return atWork === 0
    ? null
    : `An agent was at work on ${formatCount(atWork, 'job', 'jobs')}: what it had not committed or pushed is lost, and its conversation begins again.`;
}

/** Whether a person can let another runner continue the jobs of a machine that is away. */
export const canRelease = ({ wait, jobs }: Pick<TeamHome, 'wait' | 'jobs'>): boolean =>
  jobs.length > 0 && (wait === 'never' || wait === 'in-session');
