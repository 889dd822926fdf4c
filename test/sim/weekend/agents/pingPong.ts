import { ENDLESS, type Kind } from './kind.ts';

/** Reads one file and then the other, for ever; what it reads is new each time. */
export const PING_PONG: Kind = {
  does: 'ping-pong',
  jobs: [
    {
      ...ENDLESS,
      name: 'ping-pong',
      account: 'alpha',
      at: 0,
      minutes: 2,
      tokens: 50_000,
      budget: { session: { usd: 2.4 }, job: { usd: 3.6 } },
      raises: { 'session.usd': 8 },
    },
  ],
  sessionRule: {
    says: /^The same two calls, of read and read, follow each other, (\d+) times/,
    loop: 3,
  },
  async play({ hands, call, countLoop }) {
    for (let text = 'x'; ; text = `${text}x`) {
      await call();
      countLoop();
      hands.own('read', 'a.ts', { answer: text });
      hands.own('read', 'b.ts', { answer: text });
    }
  },
};
