import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionEvent } from '../../../src/contract/session/executor.ts';
import { DiskWatch } from '../../../src/jobs/slots/diskWatch.ts';
import { SessionDisk } from '../../../src/sessions/limits/sessionDisk.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('a session on a disk that becomes low');

const MB = 1024 * 1024;
const call = (at: 'start' | 'end', id: string): SessionEvent => ({
  type: 'tool',
  at,
  id,
  name: 'shell',
  ok: true,
  detail: '',
});
const NO_CALLS = { began() {}, onEnd() {}, onLost() {} };

/** A session that began with room; `fill` leaves so many MB free, of 1000 that are required. */
const stage = async () => {
  const clock = new SimulatedClock();
  let mb = 5000;
  const watch = new DiskWatch({
    folders: ['/home'],
    minFreeMb: () => 1000,
    read: async () => mb * MB,
    clock,
    log: { info() {}, warn() {} } as never,
  });
  await watch.start();
  const disk = new SessionDisk(watch, clock);
  assert.is(await disk.begins(), true);
  const held: string[] = [];
  const fill = async (free: number) => {
    mb = free;
    await watch.check();
  };
  return {
    clock,
    disk,
    fill,
    calls: disk.watchCalls(NO_CALLS, () => held.push('held')),
    held,
    watch,
  };
};

test('it ends once the call that is under way is over, not in it', async () => {
  const { disk, fill } = await stage();
  disk.onEvent(call('start', 'a'));
  await fill(400);
  assert.is(disk.cut.aborted, false);
  disk.onEvent(call('end', 'a'));
  assert.is(disk.cut.aborted, true);
  assert.match(disk.reason ?? '', 'the disk of /home has 400 MB free');
});

test('of calls side by side the last one has to be over', async () => {
  const { disk, fill } = await stage();
  disk.onEvent(call('start', 'a'));
  disk.onEvent(call('start', 'b'));
  await fill(400);
  disk.onEvent(call('end', 'a'));
  assert.is(disk.cut.aborted, false);
  disk.onEvent(call('end', 'b'));
  assert.is(disk.cut.aborted, true);
});

test('between calls it works on until the end of its next one', async () => {
  const { disk, fill } = await stage();
  await fill(400);
  disk.onEvent({ type: 'token', text: 'still thinking' });
  assert.is(disk.cut.aborted, false);
  disk.onEvent(call('start', 'a'));
  disk.onEvent(call('end', 'a'));
  assert.is(disk.cut.aborted, true);
});

test('of an agent whose calls only the tool server sees, it ends when the answer is out, and makes no other call until then', async () => {
  const { clock, calls, disk, fill, held } = await stage();
  calls.began();
  await fill(400);
  assert.equal(held, []);
  calls.onEnd();
  assert.is(disk.cut.aborted, false);
  assert.equal(held, ['held']);
  clock.advance(250);
  assert.is(disk.cut.aborted, true);
});

test('below a tenth of the limit it ends at once', async () => {
  const { disk, fill } = await stage();
  disk.onEvent(call('start', 'a'));
  await fill(400);
  await fill(99);
  assert.is(disk.cut.aborted, true);
});

test('a call that is over while there is room, or after the session, ends nothing', async () => {
  const { clock, calls, disk, fill } = await stage();
  disk.onEvent(call('start', 'a'));
  disk.onEvent(call('end', 'a'));
  calls.began();
  calls.onEnd();
  disk.end();
  await fill(50);
  clock.advance(250);
  assert.is(disk.cut.aborted, false);
  assert.is(disk.reason, null);
});

test('on a low disk none begins, and it says why', async () => {
  const { clock, fill, watch } = await stage();
  await fill(400);
  const next = new SessionDisk(watch, clock);
  assert.is(await next.begins(), false);
  assert.match(next.reason ?? '', 'the disk of /home');
});

test.run();
