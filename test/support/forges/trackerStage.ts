import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import type { AccountClient as Account } from '../../../src/contract/forge/account.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import type { WireAnswer, WireRequest } from './fakeForge/server.ts';
import { unscreened } from '../standIns/unscreened.ts';

/** A fake that answers without a network. */
interface Answering {
  respond(request: WireRequest): WireAnswer | null;
}

/**
 * An account client before a fake in this process, on a clock that moves only by `settled`. `change`
 * answers what to put in the place of the body of an answer; undefined = it stays.
 */
export function trackerStage<Fake extends Answering>(
  make: (clock: SimulatedClock) => Fake,
  change: (request: WireRequest, body: unknown) => unknown = () => undefined,
): {
  clock: SimulatedClock;
  fake: Fake;
  accountClient: Account;
  /** What went out, oldest first. */
  sent: WireRequest[];
  /** Runs the clock on until the work is over. */
  settled<T>(work: Promise<T>): Promise<T>;
} {
  const clock = new SimulatedClock();
  const fake = make(clock);
  const sent: WireRequest[] = [];
  const accountClient = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    host: 'the fake',
    clock,
    random: () => 0,
    perJob: 600,
    writeGapMs: 0,
    async fetch(url, init = {}) {
      const headers = Object.fromEntries(new Headers(init.headers));
      const { method = 'GET', body } = init;
      const request = { method, url: new URL(String(url)), headers, text: String(body ?? '') };
      sent.push(request);
      const answer = fake.respond(request);
      if (!answer) throw new Error('cut');
      const isData = answer.status === 200 && (answer.body ?? '') !== '';
      const changed = isData ? change(request, JSON.parse(answer.body ?? '')) : undefined;
      const text = changed === undefined ? answer.body : JSON.stringify(changed);
      return new Response(text, { status: answer.status, headers: answer.headers });
    },
  });
  const settleWithTimers = async <T>(work: Promise<T>): Promise<T> => {
    let over = false;
    const end = () => {
      over = true;
    };
    work.then(end, end);
    while (!over) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!over) clock.runNext();
    }
    return work;
  };
  return { clock, fake, accountClient, sent, settled: settleWithTimers };
}
