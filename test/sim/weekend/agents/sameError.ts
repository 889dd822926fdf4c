import { ENDLESS, type Kind } from './kind.ts';

/** Calls a tool that fails each time with the same error, for ever. */
export const SAME_ERROR: Kind = {
  does: 'same error',
  jobs: [
    {
      ...ENDLESS,
      name: 'same error',
      account: 'gamma',
      at: 0,
      minutes: 3,
      tokens: 50_000,
      budget: { session: { minutes: 60 }, job: { minutes: 100 } },
      raises: { 'session.minutes': 600 },
    },
  ],
  sessionRule: { says: /^shell has failed with the same error, (\d+) times/, loop: 3 },
  async play({ hands, call, countLoop }) {
    for (let n = 1; ; n++) {
      await call();
      countLoop();
      hands.own('shell', `npm run build -- --try ${n}`, {
        ok: false,
        answer: `exit code 2 after ${n} s`,
      });
    }
  },
};
