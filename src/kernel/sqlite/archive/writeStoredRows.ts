import { BROKEN_EVENT, createBrokenLine } from '../broken/brokenLines.ts';
import type { ArchiveWriter } from './archiveFile.ts';
import type { Range } from './keptRows.ts';
import type { SegmentDeps } from './segmentDeps.ts';
import { formatAnswerLine, formatEventLine, formatFrameLine } from './archivePart.ts';

/** Rows per read; others run between two reads. */
const EVENTS_AT_ONCE = 50;
const FRAMES_AT_ONCE = 500;

/** Archived in place of unreadable JSON: the stored text. */
const STORED = 'stored';

/** Valid JSON in place of an unreadable row, with the stored text. */
const replaceBrokenJson = ({ event, path, effects }: Readonly<Record<string, unknown>>) => ({
  event: JSON.stringify({ type: BROKEN_EVENT, [STORED]: { event, path, effects } }),
  path: '[]',
  effects: '[]',
});

/** Writes journal rows with their large events. Yields after each page. */
export async function* writeEvents(
  { db, blobs, guard }: Pick<SegmentDeps, 'db' | 'blobs' | 'guard'>,
  writer: ArchiveWriter,
  actor: string,
  { from, to }: Range,
): AsyncGenerator<void> {
  const sql = 'SELECT * FROM journal WHERE actor = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?';
  for (let next = from; ; ) {
    const rows = db.all(sql, actor, next, to, EVENTS_AT_ONCE);
    for (const row of rows) {
      const [seq, at, note] = [Number(row.seq), Number(row.at), row.note === 1];
      const storedRow: Record<string, unknown> = { ...row, event: blobs.get(String(row.event)) };
      const { event, path, effects } =
        guard.findRowProblems('journal', storedRow).length === 0
          ? storedRow
          : replaceBrokenJson(storedRow);
      const line = {
        seq,
        at,
        event: String(event),
        path: String(path),
        effects: String(effects),
        note,
      };
      await writer.add('journal', seq, formatEventLine(line));
      next = seq + 1;
    }
    yield;
    if (rows.length < EVENTS_AT_ONCE) return;
  }
}

export async function writeAnswers(
  { db, guard, answers }: Pick<SegmentDeps, 'db' | 'guard' | 'answers'>,
  writer: ArchiveWriter,
  actor: string,
): Promise<void> {
  if (answers === null) return;
  const sql = `SELECT key, ok, result FROM ${answers.table} WHERE ${answers.actor} = ? ORDER BY key`;
  for (const { key, ok, result } of db.all(sql, actor))
    await writer.add(
      'answer',
      0,
      formatAnswerLine({
        key: String(key),
        ok: ok === 1,
        result:
          guard.findRowProblems(answers.table, { result }).length === 0
            ? String(result)
            : JSON.stringify({ [STORED]: result }),
      }),
    );
}

/** Writes frames of every kind. Yields after each page. */
export async function* writeFrames(
  { db, guard: { frames } }: Pick<SegmentDeps, 'db' | 'guard'>,
  writer: ArchiveWriter,
  actor: string,
  { from, to }: Range,
): AsyncGenerator<void> {
  const sql = 'SELECT * FROM frames WHERE actor = ? AND n BETWEEN ? AND ? ORDER BY n LIMIT ?';
  for (let next = from; ; ) {
    const rows = db.all(sql, actor, next, to, FRAMES_AT_ONCE);
    for (const row of rows) {
      const [n, at, kind] = [Number(row.n), Number(row.at), String(row.kind)];
      const problem = frames.explainFrameProblem(kind, String(row.data));
      const data =
        problem === null
          ? String(row.data)
          : createBrokenLine(frames, n, at, problem, String(row.data));
      const tag = kind === 'log' ? (JSON.parse(data) as { tag?: unknown }).tag : null;
      const line = formatFrameLine({ n, at, kind, data });
      await writer.add('frame', n, line, typeof tag === 'string' ? tag : null);
      next = n + 1;
    }
    yield;
    if (rows.length < FRAMES_AT_ONCE) return;
  }
}
