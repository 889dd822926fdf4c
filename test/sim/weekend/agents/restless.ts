import { calls, ENDLESS, type Kind } from './kind.ts';

/** Asks for a new session after two calls, for ever. */
export const RESTLESS: Kind = {
  does: 'restless',
  jobs: [
    {
      ...ENDLESS,
      name: 'restless',
      account: 'gamma',
      at: 1,
      budget: { phase: { sessions: 2 }, job: { sessions: 5 } },
      raises: { 'phase.sessions': 20 },
    },
  ],
  async play(turn) {
    await calls(turn, 2);
    await turn.hands.tool('request_new_session', { prompt: 'Continue.' });
  },
};
