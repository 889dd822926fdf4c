import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { STALE_AFTER_MS } from '../../../src/cloudLink/homes/createMayAct.ts';
import { HeldHome } from '../../../src/cloudLink/homes/heldHome.ts';
import { Lease } from '../../../src/cloudLink/homes/lease.ts';
import { createEntry, HeldLog } from '../../support/standIns/heldLog.ts';

const test = suite('gate before writes to the world');

const WINDOW_MS = 60_000;

const openHome = () => {
  let ms = 0;
  const clocks = { boot: () => ms, monotonic: () => ms };
  const lease = new Lease(clocks);
  const log = new HeldLog();
  const home = new HeldHome({
    log,
    lease,
    clocks,
    clock: { now: () => ms },
    onAcknowledged: () => {},
  });
  return {
    home,
    log,
    pass(more: number) {
      ms += more;
    },
    renew: () => lease.renew(lease.mark(), WINDOW_MS),
  };
};

/** What a promise has come to, without waiting for it. */
const peek = async (promise: Promise<unknown> | undefined): Promise<string> => {
  if (promise === undefined) return 'at once';
  let outcome = 'waits';
  promise.then(
    () => {
      outcome = 'may go out';
    },
    (error: unknown) => {
      outcome = error instanceof SvcError ? error.code : String(error);
    },
  );
  await new Promise(setImmediate);
  return outcome;
};

test('a write goes out at once while the lease lasts and nothing waits', async () => {
  const { home, renew } = openHome();
  renew();
  assert.is(await peek(home.mayAct()), 'at once');
});

test('a write waits for every entry that was made so far', async () => {
  const { home, log, renew } = openHome();
  renew();
  void home.log.send(createEntry(1));
  void home.log.send(createEntry(2));
  const write = home.mayAct();
  log.acknowledge(1);
  assert.is(await peek(write), 'waits');
  log.acknowledge();
  assert.is(await peek(write), 'may go out');
});

test('a write without a lease waits for the next answered beat', async () => {
  const { home, pass, renew } = openHome();
  renew();
  pass(45_000);
  const write = home.mayAct();
  assert.is(await peek(write), 'waits');
  renew();
  assert.is(await peek(write), 'may go out');
});

test('a lease that ends while entries wait is asked for again', async () => {
  const { home, log, pass, renew } = openHome();
  renew();
  void home.log.send(createEntry(1));
  const write = home.mayAct();
  pass(50_000);
  log.acknowledge();
  assert.is(await peek(write), 'waits');
  renew();
  assert.is(await peek(write), 'may go out');
});

test('a write that has waited too long begins again: its checks are old', async () => {
  const { home, pass, renew } = openHome();
  const write = home.mayAct();
  pass(STALE_AFTER_MS + 1);
  renew();
  assert.is(await peek(write), 'unreachable');
});

test('a write that waits ends with its signal, and was not sent', async () => {
  const { home } = openHome();
  const stop = new AbortController();
  const write = home.mayAct(stop.signal);
  assert.is(await peek(write), 'waits');
  stop.abort();
  assert.is(await peek(write), 'stopping');
});

test('a write waits for entries that an earlier process has left', async () => {
  const log = new HeldLog();
  log.head = 3;
  log.unsent.bytes = 200;
  const clocks = { boot: () => 0, monotonic: () => 0 };
  const lease = new Lease(clocks);
  lease.renew(lease.mark(), WINDOW_MS);
  const home = new HeldHome({ log, lease, clocks, clock: { now: () => 5 }, onAcknowledged() {} });
  assert.equal([home.log.waitsSince, home.log.bytes], [5, 200]);
  const write = home.mayAct();
  assert.is(await peek(write), 'waits');
  log.acknowledge();
  assert.is(await peek(write), 'may go out');
});

test('the log says since when its oldest entry waits, and how much', () => {
  const { home, pass } = openHome();
  pass(7);
  void home.log.send(createEntry(1, 100));
  pass(10);
  void home.log.send(createEntry(2, 50));
  assert.equal([home.log.waitsSince, home.log.bytes], [7, 150]);
});

test.run();
