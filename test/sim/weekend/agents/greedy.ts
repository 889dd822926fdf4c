import { ENDLESS, type Kind, steps } from './kind.ts';

/** One call after the other, for ever. */
export const GREEDY: Kind = {
  does: 'greedy',
  jobs: [
    {
      ...ENDLESS,
      name: 'a phase',
      account: 'alpha',
      at: 0,
      budget: { phase: { usd: 1, tokens: 900_000, minutes: 150 } },
      raises: { 'phase.usd': 20, 'phase.tokens': 9_000_000 },
    },
    {
      ...ENDLESS,
      name: 'until',
      account: 'beta',
      at: 0,
      minutes: 30,
      tokens: 50_000,
      budget: { job: { usd: 50 } },
      until: '2026-01-03T12:00:00Z',
    },
  ],
  play: (turn) => steps(turn, Number.POSITIVE_INFINITY),
};
