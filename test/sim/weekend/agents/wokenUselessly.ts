import { calls, ENDLESS, type Kind, pullRequest } from './kind.ts';

/** Hours from the agent's wait to the failure of CI that wakes it. */
const CI_HOURS = 0.7;

/** Is woken each time that CI fails, changes nothing, and waits again. */
export const WOKEN_USELESSLY: Kind = {
  does: 'woken uselessly',
  jobs: [
    {
      ...ENDLESS,
      name: 'woken uselessly',
      account: 'beta',
      at: 20,
      tokens: 20_000,
      inRepository: true,
    },
  ],
  jobRule: { rule: 'wakes', warn: 2, park: 4 },
  async play(turn) {
    const { hands, outside } = turn;
    await calls(turn, 1);
    outside.ciFails(await pullRequest(turn), CI_HOURS);
    await hands.tool('await_event');
  },
};
