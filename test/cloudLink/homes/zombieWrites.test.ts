import { setTimeout } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type MayAct, mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { HeldHome } from '../../../src/cloudLink/homes/heldHome.ts';
import { Lease } from '../../../src/cloudLink/homes/lease.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { HeldLog } from '../../support/standIns/heldLog.ts';
import { unscreened } from '../../support/standIns/unscreened.ts';

// Runs in a process of its own: the work of other files moves the turns that it counts.
const test = suite('writes of a runner that wakes up after a takeover');

const API = 'https://api.test';
const WINDOW_MS = 60_000;
/** Turns of the timers after which what is not sent is held. */
const TURNS = 200;

/**
 * A runner with a lease is stopped for longer than its window, and wakes up at the request that merges. `isChecked`: the
 * account client asks its home before it sends; otherwise the check is taken out.
 */
async function mergeAfterSleep({ isChecked }: { isChecked: boolean }) {
  let ms = 0;
  const clocks = { boot: () => ms, monotonic: () => 0 };
  const lease = new Lease(clocks);
  const { mayAct } = new HeldHome({
    log: new HeldLog(),
    lease,
    clocks,
    clock: { now: () => ms },
    onAcknowledged: () => {},
  });
  const requests: string[] = [];
  const ask: MayAct = isChecked ? mayAct : mayAlwaysAct;
  const client = new AccountClient({
    mayAct: ask,
    screen: unscreened,
    host: 'api.test',
    clock: systemClock,
    random: () => 0,
    perJob: 100,
    writeGapMs: 0,
    fetch: async (url, { method } = {}) => {
      requests.push(`${method} ${String(url).slice(API.length)}`);
      return new Response('{}');
    },
  });
  lease.renew(lease.mark(), WINDOW_MS);
  const write = (path: string): void =>
    void client.fetch(`${API}${path}`, { method: 'PUT', body: '{}' }).catch(() => undefined);
  write('/before');
  await waitForSent(requests, 1);
  // The boot clock counts while the machine sleeps, the other one does not.
  ms += WINDOW_MS;
  write('/merge');
  await waitForSent(requests, 2);
  return requests;
}

async function waitForSent(requests: readonly string[], count: number): Promise<void> {
  for (let turn = 0; turn < TURNS && requests.length < count; turn += 1) await setTimeout(1);
}

test('what it had not sent before it was stopped is not sent (RUN-5)', async () => {
  assert.equal(await mergeAfterSleep({ isChecked: true }), ['PUT /before']);
});

test('without the check at the account client it would be sent (RUN-5)', async () => {
  assert.equal(await mergeAfterSleep({ isChecked: false }), ['PUT /before', 'PUT /merge']);
});

test.run();
