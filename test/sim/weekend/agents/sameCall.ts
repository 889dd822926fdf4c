import { ENDLESS, type Kind } from './kind.ts';

/** Calls the same tool with the same answer, for ever. */
export const SAME_CALL: Kind = {
  does: 'same call',
  jobs: [
    {
      ...ENDLESS,
      name: 'same call',
      account: 'beta',
      at: 3,
      minutes: 2,
      budget: { session: { tokens: 1_200_000 } },
    },
  ],
  sessionRule: {
    says: /^The same call of get_artifacts had the same answer, (\d+) times/,
    loop: 3,
  },
  async play({ hands, call, countLoop }) {
    for (;;) {
      await call();
      countLoop();
      await hands.tool('get_artifacts');
    }
  },
};
