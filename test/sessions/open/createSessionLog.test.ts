import { Backlog, MAX_WAITING_BYTES, NO_BACKLOG } from '../../../src/base/concurrency/backlog.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionLine } from '../../../src/sessions/open/agentLines.ts';
import { createSessionLog } from '../../../src/sessions/open/createSessionLog.ts';
import type { SessionEvent } from '../../../src/contract/session/executor.ts';

const test = suite('effects session log');

const createLogEvent = (line: string): SessionEvent => ({ type: 'log', stream: 'stdout', line });

test('lines of one turn go together, at most 500 a commit, one commit at a time, in order', async () => {
  const commits: string[][] = [];
  let running = 0;
  const tell = createSessionLog(async (lines) => {
    running += 1;
    assert.is(running, 1);
    await new Promise(setImmediate);
    commits.push(lines.map(({ line }) => line));
    running -= 1;
  }, NO_BACKLOG);
  const lines = Array.from({ length: 1_200 }, (_, n) => String(n));
  await Promise.all(lines.map((line) => tell(createLogEvent(line))));
  assert.equal(
    commits.map(({ length }) => length),
    [500, 500, 200],
  );
  await Promise.all([tell(createLogEvent('after')), tell(createLogEvent('wards'))]);
  assert.equal(commits.flat(), [...lines, 'after', 'wards']);
});

test('a line that arrives during a commit waits for it, and is kept when its promise is settled', async () => {
  const keptLines: string[] = [];
  let finish = () => {};
  const tell = createSessionLog(async (lines) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    keptLines.push(...lines.map(({ line }) => line));
  }, NO_BACKLOG);
  const first = tell(createLogEvent('first'));
  await new Promise(setImmediate);
  const second = tell(createLogEvent('second'));
  finish();
  await first;
  assert.equal(keptLines, ['first']);
  await new Promise(setImmediate);
  finish();
  await second;
  assert.equal(keptLines, ['first', 'second']);
});

test('lines of the runner are distinguished from those of the agent; usage is no line', async () => {
  const keptLines: SessionLine[] = [];
  const tell = createSessionLog(async (lines) => void keptLines.push(...lines), NO_BACKLOG);
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 };
  assert.is(tell({ type: 'usage', usage }), undefined);
  await Promise.all([
    tell({ type: 'log', stream: 'stderr', line: 'oops' }),
    tell({ type: 'log', stream: 'control', line: 'ended' }),
  ]);
  assert.equal(keptLines, [
    { from: 'agent', tag: null, line: 'oops' },
    { from: 'runner', tag: 'control', line: 'ended' },
  ]);
});

test('with a control plane output is read on before it is kept, until the backlog is full', async () => {
  const backlog = new Backlog(() => ({ changes: 0, bytes: 0 }));
  const keptLines: string[] = [];
  let finish = () => {};
  const tell = createSessionLog(async (lines) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    keptLines.push(...lines.map(({ line }) => line));
  }, backlog);
  await tell(createLogEvent('first'));
  assert.equal(keptLines, []);
  await tell(createLogEvent('x'.repeat(MAX_WAITING_BYTES)));
  let isRead = false;
  const third = tell(createLogEvent('third'))?.then(() => {
    isRead = true;
  });
  finish();
  await new Promise(setImmediate);
  assert.equal([keptLines.length, isRead], [1, false]);
  finish();
  await third;
  assert.is(keptLines.length, 2);
  await new Promise(setImmediate);
  finish();
  await tell.end();
  assert.is(keptLines.at(-1), 'third');
});

test.run();
