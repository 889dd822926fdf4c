import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FAR_OFF } from '../charts/ratings.ts';
import { goodAnswers } from './aQuestion.ts';

export interface AskedQuestion {
  path: string;
  headers: IncomingMessage['headers'];
  body: { id: string; model: string; [member: string]: unknown };
}

export type Behaviour = (question: AskedQuestion, res: ServerResponse) => void;

const answer = (res: ServerResponse, body: string, status = 200): void =>
  void res.writeHead(status, { 'content-type': 'application/json' }).end(body);

const good = ({ body: { id, model } }: AskedQuestion, changes: object = {}) =>
  JSON.stringify({ id, model, answers: goodAnswers, ...changes });

/** Ways in which a provider answers or does not, by name. */
export const BEHAVIOURS = {
  answers: (question, res) => answer(res, good(question)),
  lies: (question, res) => answer(res, good(question, { answers: { goal: { probability: 7 } } })),
  hangs: () => {},
  floods(_asked, res) {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.on('error', () => {});
    const more = (): void => {
      if (res.destroyed || res.writableEnded) return;
      if (res.write(' '.repeat(65_536))) setImmediate(more);
      else res.once('drain', more);
    };
    more();
  },
  cuts(question, res) {
    const text = good(question);
    res.writeHead(200, { 'content-length': text.length });
    res.write(text.slice(0, 40), () => res.destroy());
  },
  redirects: (_asked, res) =>
    void res.writeHead(307, { location: 'http://127.0.0.1:1/v1/decisions' }).end(),
  repeatsKeys: (question, res) =>
    answer(res, good(question).replace('"goal":', '"goal":{"probability":1},"goal":')),
  anotherModel: (question, res) => answer(res, good(question, { model: 'decider-9' })),
  refuses: (_asked, res) => answer(res, '{"error":"no"}', 401),
  fails: (_asked, res) => answer(res, 'oops', 503),
} satisfies Record<string, Behaviour>;

/** Rates the first visit of each job as far off, and the others as good. */
export const flagsFirstVisit: Behaviour = (question, res) => {
  const [, visit] = question.body.id.split('/');
  answer(res, good(question, visit === '1' ? { answers: FAR_OFF } : {}));
};

/** Questions that came more often than once and once more after a restart. */
export const askedTooOften = (questions: readonly AskedQuestion[]): string[] => {
  const times = new Map<string, number>();
  for (const { body } of questions) times.set(body.id, (times.get(body.id) ?? 0) + 1);
  return [...times].filter(([, n]) => n > 2).map(([id, n]) => `${id} was asked ${n} times`);
};

/** A decision provider on this machine; `behave` may be changed while it runs. */
export async function openDecisionServer(behave: Behaviour) {
  const asked: AskedQuestion[] = [];
  const state = { behave };
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const part of req) text += part;
    const one = { path: req.url ?? '', headers: req.headers, body: JSON.parse(text) };
    asked.push(one);
    state.behave(one, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
