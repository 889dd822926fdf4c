import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { openWhenFree } from '../../../src/host/start/openWhenFree.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('a state that another process has');

const createLockedError = () =>
  new SvcError('locked', 'state.db is in use by process 7 (sqlite3).');

/** A state that is free after so many attempts, and what was reported meanwhile. */
function stage(heldFor: number) {
  const clock = new SimulatedClock();
  const reports: string[] = [];
  let attempts = 0;
  const open = async () => {
    attempts += 1;
    if (attempts <= heldFor) throw createLockedError();
    return 'open';
  };
  const wait = { ms: 600_000, report: (reason: string) => reports.push(reason) };
  /** Lets the time pass until the promise is settled. */
  const settle = async <Value>(promise: Promise<Value>): Promise<Value> => {
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    while (!isOver) {
      clock.runNext();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return over;
  };
  return { clock, open, wait, reports, settle, attempts: () => attempts };
}

test('it is opened as soon as it is free, and the wait is reported with its reason', async () => {
  const { clock, open, wait, reports, settle } = stage(120);
  const began = clock.now();
  assert.is(await settle(openWhenFree(open, clock, wait)), 'open');
  assert.is(clock.now() - began, 120 * 50);
  assert.equal(
    reports,
    [createLockedError().message, createLockedError().message],
    'at once, and after 5 s',
  );
});

test('after ten minutes it is refused, and the process that has it is named', async () => {
  const { clock, open, wait, settle } = stage(Number.POSITIVE_INFINITY);
  const began = clock.now();
  const refusal = await catchRefusal(() => settle(openWhenFree(open, clock, wait)));
  assert.is(refusal.code, 'locked');
  assert.is(refusal.message, `Waited 10 minutes. ${createLockedError().message}`);
  assert.is(clock.now() - began, 600_000);
});

test('a start that is not to wait is refused at once, and so is every other failure', async () => {
  const { clock, open, wait, attempts } = stage(1);
  assert.is((await catchRefusal(() => openWhenFree(open, clock, undefined))).code, 'locked');
  assert.is(attempts(), 1);
  const rejectOpen = () => Promise.reject(new SvcError('store-failed', 'broken'));
  assert.is((await catchRefusal(() => openWhenFree(rejectOpen, clock, wait))).code, 'store-failed');
});

test.run();
