import { calls, ENDLESS, goBack, type Kind } from './kind.ts';

/** Goes back to its first phase, and nothing has changed. */
export const NOTHING_CHANGED: Kind = {
  does: 'nothing changed',
  jobs: [{ ...ENDLESS, name: 'nothing changed', account: 'gamma', at: 11, tokens: 20_000 }],
  jobRule: { rule: 'state', warn: 2, park: 3 },
  async play(turn) {
    await calls(turn, 1);
    await goBack(turn, 'it still fails');
  },
};
