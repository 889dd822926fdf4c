import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FrameRow } from '../../../src/kernel/writer.ts';
import type { FrameSink } from '../../../src/contract/runner/runner.ts';
import { Streams } from '../../../src/jobs/views/history/streams.ts';

const test = suite('runner streams');

const frame = (n: number, actor = 'a'): FrameRow => ({
  actor,
  n,
  at: n,
  kind: 'log',
  data: { line: `line ${n}` },
});

/** A store that holds frames, and a reader that records what it is given. */
const setUp = (rows: FrameRow[]) => {
  const ended = new Set<string>();
  const streams = new Streams({
    frames: (jobId, after, limit) =>
      rows.filter(({ actor, n }) => actor === jobId && n > after).slice(0, limit),
    hasEnded: (jobId) => ended.has(jobId),
  });
  const given: (number | string)[] = [];
  const sink: FrameSink = {
    frames: (frames) => given.push(...frames.map(({ n }) => n)),
    bye: (reason) => given.push(reason),
  };
  const commit = (frames: FrameRow[]) => {
    rows.push(...frames);
    streams.onCommit({ steps: frames.map(({ actor }) => ({ id: actor }) as never), frames });
  };
  return { streams, given, sink, commit, ended };
};

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('a reader gets what is stored after its number and then every commit, each frame once (HTTP-3)', () => {
  const { streams, given, sink, commit } = setUp([frame(1), frame(2), frame(3)]);
  streams.subscribe('a', 1, sink);
  commit([frame(4)]);
  commit([frame(1, 'another')]);
  commit([frame(5), frame(6)]);
  assert.equal(given, [2, 3, 4, 5, 6]);
});

test('commits while a long history is still being sent leave no gap and no double (HTTP-3)', async () => {
  const history = Array.from({ length: 1200 }, (_, index) => frame(index + 1));
  const { streams, given, sink, commit } = setUp(history);
  streams.subscribe('a', 0, sink);
  assert.is(given.length, 500);
  commit([frame(1201)]);
  await turns(3);
  commit([frame(1202)]);
  assert.equal(
    given,
    Array.from({ length: 1202 }, (_, index) => index + 1),
  );
});

test('the reader of an ended job is notified of the end after the last frame', () => {
  const { streams, given, sink, commit, ended } = setUp([frame(1)]);
  streams.subscribe('a', 0, sink);
  ended.add('a');
  commit([frame(2)]);
  commit([frame(3)]);
  assert.equal(given, [1, 2, 'ended']);
});

test('a reader that leaves hears nothing more, and the others do', () => {
  const { streams, given, sink, commit } = setUp([]);
  const others: number[] = [];
  const leave = streams.subscribe('a', 0, sink);
  streams.subscribe('a', 0, {
    frames: (frames) => others.push(...frames.map(({ n }) => n)),
    bye: () => undefined,
  });
  commit([frame(1)]);
  leave();
  commit([frame(2)]);
  assert.equal(given, [1]);
  assert.equal(others, [1, 2]);
});

test('when the runner stops every reader is notified', () => {
  const { streams, given, sink } = setUp([frame(1)]);
  streams.subscribe('a', 0, sink);
  streams.close();
  assert.equal(given, [1, 'stopping']);
});

test.run();
