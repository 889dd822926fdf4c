import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Lease, type LeaseClocks } from '../../../src/cloudLink/homes/lease.ts';

const test = suite('lease: until when a runner may act on the world');

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Clocks that a test moves, together or one of them. */
class HandClocks implements LeaseClocks {
  bootMs = 5_000_000;
  monotonicMs = 3_000;
  readonly boot = () => this.bootMs;
  readonly monotonic = () => this.monotonicMs;

  pass(ms: number): void {
    this.bootMs += ms;
    this.monotonicMs += ms;
  }
}

/** A lease whose beat was sent `answerMs` before its answer came. */
const renewedLease = (clocks: HandClocks, answerMs = 0): Lease => {
  const lease = new Lease(clocks);
  lease.narrow(WINDOW_MS);
  const sentAt = lease.mark();
  clocks.pass(answerMs);
  lease.renew(sentAt, WINDOW_MS);
  return lease;
};

interface LeaseCase {
  what: string;
  answerMs?: number;
  pass(clocks: HandClocks): void;
  isHeld: boolean;
}

const CASES: readonly LeaseCase[] = [
  { what: 'no time', pass: () => {}, isHeld: true },
  { what: '44.9 s', pass: (clocks) => clocks.pass(44_900), isHeld: true },
  { what: '45 s', pass: (clocks) => clocks.pass(45_000), isHeld: false },
  {
    what: '20 s after an answer that took 30 s: it counts from when the beat was sent',
    answerMs: 30_000,
    pass: (clocks) => clocks.pass(20_000),
    isHeld: false,
  },
  {
    what: 'an answer that took longer than the lease',
    answerMs: 46_000,
    pass: () => {},
    isHeld: false,
  },
  {
    what: 'a machine that slept for a minute: only the boot clock counts it',
    pass(clocks) {
      clocks.bootMs += 60_000;
    },
    isHeld: false,
  },
  {
    what: 'a boot clock that jumps ahead by an hour',
    pass(clocks) {
      clocks.bootMs += HOUR_MS;
    },
    isHeld: false,
  },
  {
    what: 'a boot clock that jumps back by an hour, 10 s by the other one',
    pass(clocks) {
      clocks.bootMs -= HOUR_MS;
      clocks.monotonicMs += 10_000;
    },
    isHeld: true,
  },
  {
    what: 'a boot clock that jumps back by an hour, 46 s by the other one',
    pass(clocks) {
      clocks.bootMs -= HOUR_MS;
      clocks.monotonicMs += 46_000;
    },
    isHeld: false,
  },
  {
    what: 'a boot clock that has stopped, 46 s by the other one',
    pass(clocks) {
      clocks.monotonicMs += 46_000;
    },
    isHeld: false,
  },
  {
    what: 'a monotonic clock that jumps ahead by an hour',
    pass(clocks) {
      clocks.monotonicMs += HOUR_MS;
    },
    isHeld: false,
  },
];

for (const { what, answerMs, pass, isHeld } of CASES)
  test(`after ${what} it is ${isHeld ? 'held' : 'over'}`, () => {
    const clocks = new HandClocks();
    const lease = renewedLease(clocks, answerMs);
    pass(clocks);
    assert.is(lease.isHeld, isHeld);
  });

test('before the first answer it is not held, whatever the welcome says', () => {
  const lease = new Lease(new HandClocks());
  lease.narrow(WINDOW_MS);
  assert.is(lease.isHeld, false);
});

test('an older answer that comes later takes nothing away', () => {
  const clocks = new HandClocks();
  const lease = new Lease(clocks);
  const first = lease.mark();
  clocks.pass(30_000);
  lease.renew(lease.mark(), WINDOW_MS);
  lease.renew(first, WINDOW_MS);
  assert.is(lease.leftMs, 45_000);
});

test('a shorter window counts from the welcome on', () => {
  const clocks = new HandClocks();
  const lease = renewedLease(clocks);
  clocks.pass(25_000);
  lease.narrow(30_000);
  assert.is(lease.isHeld, false);
});

test('a longer window does not count before a beat was answered that the runner sent knowing it', () => {
  const clocks = new HandClocks();
  const lease = renewedLease(clocks);
  lease.narrow(600_000);
  assert.is(lease.leftMs, 45_000);
  lease.renew(lease.mark(), 600_000);
  assert.is(lease.leftMs, 450_000);
});

test('one that waits for it is woken by an answer that is not too old', async () => {
  const clocks = new HandClocks();
  const lease = renewedLease(clocks);
  clocks.pass(60_000);
  let isWoken = false;
  const woken = lease.awaitRenewal().then(() => {
    isWoken = true;
  });
  const old = lease.mark();
  clocks.pass(50_000);
  lease.renew(old, WINDOW_MS);
  await Promise.resolve();
  assert.is(isWoken, false);
  lease.renew(lease.mark(), WINDOW_MS);
  await woken;
});

test('a home that is given up has none', () => {
  const lease = renewedLease(new HandClocks());
  lease.end();
  assert.is(lease.isHeld, false);
});

test.run();
