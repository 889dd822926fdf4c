import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Timers } from '../../src/kernel/timers.ts';
import type { TimerRow } from '../../src/kernel/writer.ts';

const test = suite('kernel: timers and a time of day that is set back');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The time of day and the steady clock; an alarm goes off by whichever reaches it first. */
class SettableClock {
  day = 100 * HOUR;
  #steady = 0;
  #alarms: { day: number; steady: number; run: () => void }[] = [];
  now = () => this.day;
  steady = () => this.#steady;
  at = (atMs: number, run: () => void) => {
    const alarm = { day: atMs, steady: this.#steady + (atMs - this.day), run };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  };

  async pass(ms: number): Promise<void> {
    this.day += ms;
    this.#steady += ms;
    const due = this.#alarms.filter(({ day, steady }) => day <= this.day || steady <= this.#steady);
    this.#alarms = this.#alarms.filter((alarm) => !due.includes(alarm));
    for (const { run } of due) run();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function openTimers() {
  const clock = new SettableClock();
  let rows: TimerRow[] = [];
  const fired: string[] = [];
  const store = { timers: (limit: number) => rows.slice(0, limit) };
  const timers = new Timers(
    store,
    clock,
    async ({ timer }) => {
      rows = rows.filter((row) => row !== timer);
      fired.push(timer?.name ?? '');
      return { started: [], sends: [] };
    },
    (where, error) => {
      throw new Error(where, { cause: error });
    },
    new Set(['wait', 'short wait']),
  );
  const set = (name: string, afterMs: number) => {
    const row = { actor: 'a', name, due: clock.day + afterMs, event: { type: 'due' } };
    rows = [...rows, row].sort((a, b) => a.due - b.due);
    timers.set([row]);
  };
  return { clock, set, fired };
}

test('a duration lasts no longer, a time of day is waited for, and both are fired once', async () => {
  const { clock, set, fired } = openTimers();
  set('wait', 5 * MINUTE);
  set('at noon', 6 * MINUTE);
  clock.day -= HOUR;
  await clock.pass(5 * MINUTE);
  assert.equal(fired, ['wait']);
  await clock.pass(HOUR);
  assert.equal(fired, ['wait']);
  await clock.pass(MINUTE);
  assert.equal(fired, ['wait', 'at noon']);
});

test('a duration that is set afterwards lasts its own time, and does not hide an earlier one', async () => {
  const { clock, set, fired } = openTimers();
  set('wait', 5 * MINUTE);
  clock.day -= HOUR;
  set('short wait', 10 * MINUTE);
  await clock.pass(0);
  await clock.pass(5 * MINUTE);
  assert.equal(fired, ['wait']);
  await clock.pass(4 * MINUTE);
  assert.equal(fired, ['wait']);
  await clock.pass(MINUTE);
  assert.equal(fired, ['wait', 'short wait']);
});

test('a correction of seconds moves nothing', async () => {
  const { clock, set, fired } = openTimers();
  set('wait', 5 * MINUTE);
  clock.day -= 2_000;
  await clock.pass(5 * MINUTE);
  assert.equal(fired, []);
  await clock.pass(2_000);
  assert.equal(fired, ['wait']);
});

test.run();
