import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { WhyReply } from '../../src/contract/schema/api/replies.ts';
import type { JobTimeline, TimelineSession } from '../../src/contract/schema/job/timeline.ts';
import {
  EVERYTHING,
  findLines,
  filterLogLines,
  findLineTag,
  countLineTags,
} from '../../ui/jobs/log/logFilter.ts';
import { createRowMaker, type LogRowItem } from '../../ui/jobs/log/logRows.ts';
import {
  EMPTY_LOG,
  readFirstNumber,
  hasEnd,
  type LogLine,
  MAX_LOG_LINES,
  appendNewLines,
  mergeLogPage,
} from '../../ui/jobs/log/logWindow.ts';
import { createJobStore } from '../../ui/jobs/page/jobStore.ts';
import { computeOffsets, findVisibleRange } from '../../ui/shell/lists/virtualRange.ts';

const test = suite('dashboard: the log');

const line = (n: number, part: Partial<LogLine> = {}): LogLine => ({
  n,
  number: n,
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

test('a tag says who gave it; what an agent writes in brackets is text (UI-1)', () => {
  assert.equal(LOG.map(findLineTag), ['phase', null, null, 'completion-gate', 'tool: control']);
  assert.equal(countLineTags(LOG), [
    ['completion-gate', 1],
    ['phase', 1],
    ['tool: control', 1],
  ]);
});

test('tags, source and phase narrow the log; search finds without regard to case', () => {
  const filterNumbers = (part: Partial<typeof EVERYTHING>) =>
    filterLogLines(LOG, { ...EVERYTHING, ...part }).map(({ n }) => n);
  assert.is(filterLogLines(LOG, EVERYTHING), LOG);
  assert.equal(filterNumbers({ tags: new Set(['tool: control', 'phase']) }), [1, 5]);
  assert.equal(filterNumbers({ from: 'runner' }), [1, 4]);
  assert.equal(filterNumbers({ phase: 'planning' }), [1]);
  assert.equal(findLines(LOG, 'stop'), [2, 5]);
  assert.equal(findLines(LOG, ''), []);
  assert.equal(findLines(LOG, 'nowhere'), []);
});

test('a search finds what is shown: colours do not hide it', () => {
  assert.equal(findLines([line(1, { line: 'gr\u001B[31meen' })], 'green'), [1]);
});

const numbers = (from: number, to: number): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index));
const page = (from: number, to: number, total: number) => ({
  lines: numbers(from, to),
  total,
  lastFrame: total,
});

test('a long log keeps its newest lines, and knows how many there are', () => {
  const log = appendNewLines(
    mergeLogPage(EMPTY_LOG, page(1, 10, 10)),
    numbers(11, MAX_LOG_LINES + 15),
  );
  assert.equal(log.lines.length, MAX_LOG_LINES);
  assert.equal(readFirstNumber(log), 16);
  assert.equal(log.lines.at(-1)?.number, MAX_LOG_LINES + 15);
  assert.equal(log.total, MAX_LOG_LINES + 15);
});

test('new lines get the numbers that follow, each once', () => {
  const log = mergeLogPage(EMPTY_LOG, page(5, 10, 10));
  const added = appendNewLines(log, [line(10), line(13), line(14)]);
  assert.equal(added.lines.map(({ number, n }) => [number, n]).slice(-3), [
    [10, 10],
    [11, 13],
    [12, 14],
  ]);
  assert.is(added.total, 12);
});

test('older and newer pages join what is shown; a page of elsewhere replaces it', () => {
  const log = mergeLogPage(EMPTY_LOG, page(50, 60, 100));
  assert.not.ok(hasEnd(log));
  const older = mergeLogPage(log, page(40, 49, 100));
  assert.equal([readFirstNumber(older), older.lines.length], [40, 21]);
  const newer = mergeLogPage(older, page(61, 100, 100));
  assert.ok(hasEnd(newer));
  assert.is(newer.lines.length, 61);
  const elsewhere = mergeLogPage(newer, page(1, 5, 100));
  assert.equal(
    elsewhere.lines.map(({ number }) => number),
    [1, 2, 3, 4, 5],
  );
});

test('while an older part is shown, new lines are only counted', () => {
  const log = appendNewLines(mergeLogPage(EMPTY_LOG, page(1, 5, 100)), [line(101)]);
  assert.is(log.lines.length, 5);
  assert.is(log.total, 101);
});

const session = (visit: number, number: number, from: string): TimelineSession => ({
  visit,
  session: number,
  from,
  to: null,
  usage: null,
});
const toRowKeys = (rows: readonly LogRowItem[]): (string | number)[] =>
  rows.map((row) =>
    row.kind === 'line' ? row.line.number : row.kind === 'day' ? row.day : row.key,
  );

test('lines are grouped by session, days that change between two lines are named', () => {
  const make = createRowMaker();
  const lines = [
    line(1, { at: '2026-01-01T10:00:00.000Z' }),
    line(2, { at: '2026-01-01T10:00:05.000Z' }),
    line(3, { at: '2026-01-03T10:00:05.000Z' }),
    line(4, { visit: 2, at: '2026-01-03T10:00:06.000Z' }),
  ];
  const sessions = [session(1, 1, '2026-01-01T10:00:05.000Z')];
  const { rows, groups } = make(lines, sessions, new Set());
  assert.equal(toRowKeys(rows), ['1.0', 1, '1.1', 2, 'Sat 3 Jan 2026', 3, '2.0', 4]);
  assert.equal(
    [...groups].map(([key, { lines: count }]) => [key, count]),
    [
      ['1.0', 1],
      ['1.1', 2],
      ['2.0', 1],
    ],
  );
  const folded = make(lines, sessions, new Set(['1.1']));
  assert.equal(toRowKeys(folded.rows), ['1.0', 1, '1.1', '2.0', 'Sat 3 Jan 2026', 4]);
  assert.is(folded.rows[1], rows[1], 'what was drawn of a line is kept');
});

test('rows of the journal come once, whichever request brings them', () => {
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
  const look = (...seqs: number[]) =>
    store.trigger.looked({
      job: { id: 'j' } as Job,
      why: { id: 'j' } as WhyReply,
      timeline: { at: '' } as JobTimeline,
      journal: seqs.map(row),
    });
  look(1, 2);
  look(2, 3);
  assert.equal(
    store.getSnapshot().context.journal.map(({ seq }) => seq),
    [1, 2, 3],
  );
});

test('of ten thousand rows of different heights only those in view are drawn', () => {
  const heights = Array.from({ length: 10_000 }, (_, index) => 10 + (index % 3) * 10);
  const offsets = computeOffsets(heights, (height) => height);
  assert.is(
    offsets.total,
    heights.reduce((sum, height) => sum + height, 0),
  );
  assert.equal(findVisibleRange(offsets, 0, 25), { from: 0, to: 2 });
  assert.equal(findVisibleRange(offsets, 10, 29), { from: 1, to: 2 });
  const { from, to } = findVisibleRange(offsets, 100_000, 100_800);
  assert.ok(
    (offsets.starts[from] ?? 0) <= 100_000 &&
      (offsets.starts[to] ?? Infinity) > 100_800 &&
      to - from < 60,
  );
  assert.equal(
    findVisibleRange(
      computeOffsets([], () => 1),
      0,
      100,
    ),
    { from: 0, to: 0 },
  );
  assert.equal(findVisibleRange(offsets, -600, -1), { from: 0, to: 0 });
});

test.run();
