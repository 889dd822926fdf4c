import type { Chance } from '../chance.ts';
import type { Life } from '../life.ts';
import type { StormForge } from './stormForge.ts';

/** What becomes of one request. */
type Fate =
  /** It never arrives, and the sender learns that at once, or never. */
  | 'cut before'
  | 'hangs before'
  | 'not sent'
  /** It is carried out, and the answer is lost, or never comes. */
  | 'cut after'
  | 'hangs after'
  | 'fails after'
  | 'fails before'
  | 'too many'
  | 'secondary limit'
  | 'good';

/** Writes with an unknown outcome end their job: few, so that most jobs continue. */
const HARMLESS: readonly (readonly [Fate, number])[] = [
  ['cut after', 0.02],
  ['hangs after', 0.01],
  ['fails after', 0.01],
  ['too many', 0.01],
  ['secondary limit', 0.004],
  ['not sent', 0.01],
];
const DOUBTFUL: readonly (readonly [Fate, number])[] = [
  ['cut before', 0.02],
  ['hangs before', 0.01],
  ['fails before', 0.03],
];
/** Part of the doubtful fates that writes have. */
const DOUBTFUL_WRITES = 0.05;

const CUT = Object.assign(new Error('simulated: the connection was cut'), { code: 'ECONNRESET' });
const NOT_SENT = Object.assign(new Error('simulated: the connection was refused'), {
  code: 'ECONNREFUSED',
});

interface NetworkNotes {
  /** A request has come to the forge. */
  came(life: Life): void;
  /** The runner has heard that it may not ask before this time, epoch ms. */
  mayNotBefore(life: Life, until: number): void;
}

/**
 * The network between one life of the runner and a fake forge: it loses requests and answers,
 * delays them, and kills.
 */
export function stormyFetch(
  forge: Pick<StormForge, 'respond'>,
  life: Life,
  chance: Chance,
  notes: NetworkNotes,
): typeof fetch {
  const { world } = life;
  const { clock } = world;
  const drawFate = (isRead: boolean): Fate => {
    if (!world.stormy) return 'good';
    let roll = chance.int(0, 999_999) / 1_000_000;
    for (const [fate, share] of HARMLESS) {
      roll -= share;
      if (roll < 0) return fate;
    }
    for (const [fate, share] of DOUBTFUL) {
      roll -= isRead ? share : share * DOUBTFUL_WRITES;
      if (roll < 0) return fate;
    }
    return 'good';
  };
  const later = (ms: number, run: () => void) => void clock.at(clock.now() + ms, run);
  const slow = () =>
    world.stormy && chance.is(0.02) ? chance.int(2_000, 40_000) : chance.wait(20, 900);
  const mayDie = (where: string) => {
    if (!life.alive || !(world.stormy && chance.is(0.0004))) return;
    world.note(`the runner dies, ${where}`);
    life.die();
  };

  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      signal?.addEventListener('abort', () => life.alive && reject(signal.reason), { once: true });
      const url = new URL(String(input));
      const method = init.method ?? 'GET';
      const headers = Object.fromEntries(new Headers(init.headers));
      const isRead = method === 'GET' || url.pathname.endsWith('/graphql');
      const fate = drawFate(isRead);
      if (fate !== 'good') world.note(`${method} ${url.pathname} ${fate}`);
      mayDie(`before ${method} ${url.pathname}`);
      const fail = (error: Error) => later(chance.int(1, 500), () => life.alive && reject(error));
      const carriedOut = () =>
        forge.respond({ method, url, headers, text: init.body == null ? '' : String(init.body) });
      const answers = (status: number, more: Record<string, string>, text: string | null) => {
        later(slow(), () => {
          if (!life.alive || signal?.aborted) return;
          mayDie(`when ${method} ${url.pathname} is answered`);
          if (!life.alive) return;
          const wait = Number(more['retry-after'] ?? Number.NaN);
          if (Number.isFinite(wait)) notes.mayNotBefore(life, clock.now() + wait * 1000);
          resolve(
            new Response(status === 204 || status === 304 ? null : text, { status, headers: more }),
          );
        });
      };
      if (fate === 'not sent') return fail(NOT_SENT);
      // What is on its way comes, whether its sender lives or not.
      later(chance.wait(5, 400), () => {
        if (fate === 'cut before') return fail(CUT);
        if (fate === 'hangs before') return;
        notes.came(life);
        if (fate === 'fails before') return answers(500, {}, '{"message":"Server Error"}');
        if (fate === 'too many')
          return answers(429, { 'retry-after': '20' }, '{"message":"slow down"}');
        if (fate === 'secondary limit')
          return answers(
            403,
            { 'retry-after': '30' },
            '{"message":"You have exceeded a secondary rate limit."}',
          );
        const answer = carriedOut();
        mayDie(`after ${method} ${url.pathname} was carried out`);
        if (fate === 'cut after') return fail(CUT);
        if (fate === 'hangs after' || answer === null) return;
        if (fate === 'fails after') return answers(502, {}, 'Bad Gateway');
        if (answer.headers['x-ratelimit-remaining'] === '0')
          notes.mayNotBefore(life, Number(answer.headers['x-ratelimit-reset']) * 1000);
        answers(answer.status, answer.headers, answer.body);
      });
    });
}
