import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  Backlog,
  MAX_WAITING_BYTES,
  MAX_WAITING_CHANGES,
  type WaitingElsewhere,
} from '../../../src/base/concurrency/backlog.ts';

const test = suite('backlog: what waits for a control plane');

const openBacklog = (elsewhere: WaitingElsewhere | null = { changes: 0, bytes: 0 }) => {
  const parts = { elsewhere };
  return { parts, backlog: new Backlog(() => parts.elsewhere) };
};

/** Whether output may be read on now. */
const hasRoom = (backlog: Backlog): boolean => backlog.room() === undefined;

test('without a control plane it is shut, and nothing waits for room', () => {
  const { backlog } = openBacklog(null);
  backlog.hold(MAX_WAITING_BYTES);
  assert.equal([backlog.isOpen, hasRoom(backlog)], [false, true]);
});

test('it is full at 16 MiB of output and of entries together', () => {
  const { backlog, parts } = openBacklog();
  backlog.hold(MAX_WAITING_BYTES - 10);
  assert.ok(hasRoom(backlog));
  parts.elsewhere = { changes: 1, bytes: 10 };
  assert.not(hasRoom(backlog));
});

test('it is full at 10,000 changes, whatever they are', () => {
  const { backlog, parts } = openBacklog();
  backlog.hold(1);
  parts.elsewhere = { changes: MAX_WAITING_CHANGES - 2, bytes: 0 };
  assert.equal([backlog.changes, hasRoom(backlog)], [MAX_WAITING_CHANGES - 1, true]);
  backlog.hold(1);
  assert.not(hasRoom(backlog));
});

test('those that wait for room continue when it exists, and not before', async () => {
  const { backlog } = openBacklog();
  const [first, second] = [backlog.hold(MAX_WAITING_BYTES), backlog.hold(MAX_WAITING_BYTES)];
  let isRead = false;
  const read = backlog.room()?.then(() => {
    isRead = true;
  });
  first();
  // A piece is given back once.
  first();
  await Promise.resolve();
  assert.not(isRead);
  second();
  await read;
  assert.ok(isRead);
});

test('they continue when the home becomes local', async () => {
  const { backlog, parts } = openBacklog();
  backlog.hold(MAX_WAITING_BYTES);
  const room = backlog.room();
  assert.ok(room);
  parts.elsewhere = null;
  backlog.look();
  await room;
});

test.run();
