import { calls, ENDLESS, goBack, type Kind } from './kind.ts';

/** Goes back to its first phase with new files each time, for ever. */
export const LAPPING: Kind = {
  does: 'lapping',
  jobs: [
    {
      ...ENDLESS,
      name: 'lapping',
      account: 'alpha',
      at: 6,
      budget: { phase: { visits: 3 }, job: { visits: 4 } },
      raises: { 'job.visits': 20 },
    },
  ],
  async play(turn) {
    await calls(turn, 1);
    turn.work();
    await goBack(turn, 'something new is to be built');
  },
};
