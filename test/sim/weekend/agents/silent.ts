import { ENDLESS, type Kind } from './kind.ts';

/** Answers in words alone, as often as a person writes to it: each message ends a turn. */
export const SILENT: Kind = {
  does: 'silent',
  jobs: [
    {
      ...ENDLESS,
      name: 'silent',
      account: 'beta',
      at: 5,
      minutes: 3,
      tokens: 50_000,
      budget: { job: { tokens: 900_000 }, session: { tokens: 350_000 } },
      raises: { 'session.tokens': 3_000_000 },
    },
  ],
  sessionRule: { says: /^The agent has answered without any tool call, (\d+) times/, loop: 3 },
  async play({ hands, outside, call, countLoop }) {
    hands.onTurn = countLoop;
    for (;;) {
      outside.writes(hands.jobId, 'And what have you changed?');
      await call();
    }
  },
};
