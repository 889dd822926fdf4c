import type { SubRunEffects, SubRunsState } from '../../src/contract/schema/job/subRun.ts';

const AFTERWARDS: Readonly<Record<SubRunsState, string>> = {
  collecting: 'the campaign is then being planned',
  finalized: 'the campaign then waits to start',
  dispatching: 'the campaign continues',
  held: 'the campaign stays on hold',
  halted: 'the campaign stays halted',
  settled: 'all sub-runs have then ended, and the campaign brings the results together',
  reopened: 'the campaign goes back to waiting for its sub-runs',
  closing: 'the campaign is then being stopped',
  closed: 'the campaign has ended',
};

export function describeSubRunEffects({ state, changes, starts, stops }: SubRunEffects): string[] {
  return [
    ...changes.map(
      ({ name, from, to, reason }) => `${name}: ${from} → ${to}${reason ? ` (${reason})` : ''}`,
    ),
    ...starts.map((name) => `a job is started for ${name}`),
    ...stops.map((name) => `the job of ${name} is stopped`),
    ...(changes.length + starts.length + stops.length === 0 ? ['no sub-run would change'] : []),
    AFTERWARDS[state],
  ];
}
