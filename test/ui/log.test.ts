import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/schema/job.ts';
import type { WhyReply } from '../../src/schema/replies.ts';
import { createJobStore, type LogLine, MAX_LOG_LINES } from '../../ui/jobs/page/jobStore.ts';
import { findLines, shownLines, tagOf, tagsOf, textOfLine } from '../../ui/jobs/log/logFilter.ts';
import { offsetsOf, rangeOf } from '../../ui/shell/virtualRange.ts';

const test = suite('dashboard: the log');

const line = (n: number, part: Partial<LogLine> = {}): LogLine => ({
  n,
  at: '2026-01-01T00:00:00Z',
  phase: 'coding',
  visit: 1,
  from: 'agent',
  tag: null,
  line: `line ${n}`,
  ...part,
});

const LOG = [
  line(1, { tag: 'phase', from: 'runner', phase: 'planning' }),
  line(2, { line: '[control] stop' }),
  line(3, { line: 'an array [1, 2] is no tag' }),
  line(4, { tag: 'completion-gate', from: 'runner' }),
  line(5, { tag: 'control', from: 'tool', line: 'STOPPED' }),
];

test('lines have the tag of the runner, or the one in brackets at their start (UI-1)', () => {
  assert.equal(LOG.map(tagOf), ['phase', 'control', null, 'completion-gate', 'control']);
  assert.equal(LOG.slice(1, 3).map(textOfLine), ['stop', 'an array [1, 2] is no tag']);
  assert.equal(tagsOf(LOG), [
    ['control', 2],
    ['completion-gate', 1],
    ['phase', 1],
  ]);
});

test('tags, speaker and phase narrow the log; search finds without regard to case', () => {
  const all = { tags: new Set<string>(), from: null, phase: null };
  const shown = (part: Partial<typeof all> | object) =>
    shownLines(LOG, { ...all, ...part }).map(({ n }) => n);
  assert.is(shownLines(LOG, all), LOG);
  assert.equal(shown({ tags: new Set(['control', 'phase']) }), [1, 2, 5]);
  assert.equal(shown({ from: 'runner' }), [1, 4]);
  assert.equal(shown({ phase: 'planning' }), [1]);
  assert.equal(findLines(LOG, 'stop'), [1, 4]);
  assert.equal(findLines(LOG, ''), []);
  assert.equal(findLines(LOG, 'nowhere'), []);
});

test('a long log keeps its newest lines, counts the others, and no more', () => {
  const store = createJobStore();
  store.trigger.logged({
    lines: Array.from({ length: MAX_LOG_LINES + 5 }, (_, index) => line(index)),
  });
  const { log, dropped } = store.getSnapshot().context;
  assert.equal(log.length, MAX_LOG_LINES);
  assert.equal(log[0]?.n, 5);
  assert.equal(log.at(-1)?.n, MAX_LOG_LINES + 4);
  assert.equal(dropped, 5);
});

test('rows of the journal come once, whichever request brings them; the reason of a wait is kept with its time', () => {
  const store = createJobStore();
  const row = (seq: number) => ({
    actor: 'j',
    seq,
    at: 0,
    event: { type: 'x' },
    path: [],
    effects: [],
    note: false,
  });
  const looked = (...seqs: number[]) =>
    store.trigger.looked({
      job: { id: 'j' } as Job,
      why: { id: 'j' } as WhyReply,
      journal: seqs.map(row),
    });
  looked(1, 2);
  looked(2, 3);
  assert.equal(
    store.getSnapshot().context.journal.map(({ seq }) => seq),
    [1, 2, 3],
  );
  const since = '2026-01-01T00:00:00.000Z';
  const frame = {
    at: since,
    event: 'x',
    status: 's',
    phase: 'p',
    visit: 1,
    state: [],
    ended: false,
  };
  store.trigger.stated({ frame: { ...frame, parked: { kind: 'event', since, reason: 'waits' } } });
  store.trigger.stated({ frame: { ...frame, parked: null } });
  assert.equal(store.getSnapshot().context.reasons, { [since]: 'waits' });
});

test('of ten thousand rows of different heights only those in view are drawn', () => {
  const heights = Array.from({ length: 10_000 }, (_, index) => 10 + (index % 3) * 10);
  const offsets = offsetsOf(heights, (height) => height);
  assert.is(
    offsets.total,
    heights.reduce((sum, height) => sum + height, 0),
  );
  assert.equal(rangeOf(offsets, 0, 25), { from: 0, to: 2 });
  assert.equal(rangeOf(offsets, 10, 29), { from: 1, to: 2 });
  const { from, to } = rangeOf(offsets, 100_000, 100_800);
  assert.ok(
    (offsets.starts[from] ?? 0) <= 100_000 &&
      (offsets.starts[to] ?? Infinity) > 100_800 &&
      to - from < 60,
  );
  assert.equal(
    rangeOf(
      offsetsOf([], () => 1),
      0,
      100,
    ),
    { from: 0, to: 0 },
  );
  assert.equal(rangeOf(offsets, -600, -1), { from: 0, to: 0 });
});

test.run();
