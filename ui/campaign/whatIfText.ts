import type { SubRunEffects } from '../../src/schema/subRun.ts';

/** What an action would change, a sentence each. */
export function changeTexts({ state, changes, starts, stops }: SubRunEffects): string[] {
  return [
    ...changes.map(
      ({ name, from, to, reason }) => `${name}: ${from} → ${to}${reason ? ` (${reason})` : ''}`,
    ),
    ...starts.map((name) => `a job is started for ${name}`),
    ...stops.map((name) => `the job of ${name} is stopped`),
    ...(changes.length + starts.length + stops.length === 0 ? ['no sub-run would change'] : []),
    `the campaign is then ${state}`,
  ];
}
