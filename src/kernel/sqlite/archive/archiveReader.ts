import type { JournalRow } from '../../writer.ts';
import { BrokenRows } from '../broken/brokenRows.ts';
import type { Database } from '../database.ts';
import { findLastGoneEvent, findLastGoneFrame, type Range } from './keptRows.ts';
import { parseFrameLine, type StoredFrame } from './archivePart.ts';
import { PartCache } from './partCache.ts';
import {
  describeSegmentDamage,
  explainSegmentLoss,
  type Segment,
  listSegments,
} from './segment.ts';

/** A log line, or the notice in place of unreadable lines. */
export type ArchivedLine = Omit<StoredFrame, 'kind'>;

const parseArchivedLog = (line: string): ArchivedLine | null => {
  const { kind, ...rest } = parseFrameLine(line);
  return kind === 'log' ? rest : null;
};

const parseArchivedEvent = (line: string, actor: string): JournalRow => ({
  actor,
  ...(JSON.parse(line) as { journal: Omit<JournalRow, 'actor'> }).journal,
});

/**
 * Reads archived rows. One line with the reason replaces unreadable lines; rows kept in the tables
 * must be read from there.
 */
export class ArchiveReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;
  /** Null = the store is not in a file and has no archives. */
  readonly #dir: string | null;
  readonly #logs = new PartCache<ArchivedLine>(parseArchivedLog);
  readonly #journals = new PartCache<JournalRow>(parseArchivedEvent);

  constructor(db: Database, dir: string | null, brokenRows = new BrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
    this.#dir = dir;
  }

  /** Lines of the log from frame `from` on, ascending. */
  *linesFrom(actor: string, from: number): Generator<ArchivedLine> {
    for (const segment of this.#segments(actor))
      if (segment.frames.to >= from)
        for (const lines of this.#lines(segment, (part) => part.to >= from))
          for (const line of lines) if (line.n >= from) yield line;
  }

  /** Lines of the log before frame `before`, descending. */
  *linesBefore(actor: string, before: number): Generator<ArchivedLine> {
    for (const segment of this.#segments(actor).reverse())
      if (segment.frames.from < before)
        for (const lines of this.#lines(segment, (part) => part.from < before, true))
          for (const line of lines.toReversed()) if (line.n < before) yield line;
  }

  /** Log lines with this tag, ascending; reads only parts that contain it. */
  *readTagged(actor: string, tag: string): Generator<ArchivedLine> {
    const isIn = ({ tags }: { tags: readonly string[] | null }) => tags?.includes(tag) ?? true;
    for (const segment of this.#segments(actor))
      for (const lines of this.#lines(segment, isIn))
        for (const line of lines)
          if ((JSON.parse(line.data) as { tag?: unknown }).tag === tag) yield line;
  }

  /** Rows of the journal after row `after`, ascending. */
  *journal(actor: string, after: number): Generator<JournalRow> {
    for (const segment of this.#segments(actor))
      if (segment.journal.to > after)
        for (const rows of this.#events(segment, after))
          for (const row of rows) if (row.seq > after) yield row;
  }

  #segments(actor: string): Segment[] {
    return this.#dir === null ? [] : listSegments(this.#db, this.#broken, actor);
  }

  *#lines(
    segment: Segment,
    isWanted: (part: Segment['parts'][number]) => boolean,
    newestFirst = false,
  ): Generator<readonly ArchivedLine[]> {
    const dir = this.#dir ?? '';
    const loss = explainSegmentLoss(segment, dir);
    if (loss !== null) return yield this.#describeLostLines(segment, segment.frames, loss);
    const parts = segment.parts.filter((part) => part.kind === 'frame' && isWanted(part));
    for (const part of newestFirst ? parts.reverse() : parts)
      yield this.#logs.rows(segment, part, dir) ??
        this.#describeLostLines(segment, part, describeSegmentDamage(segment, dir));
  }

  *#events(segment: Segment, after: number): Generator<readonly JournalRow[]> {
    const dir = this.#dir ?? '';
    const loss = explainSegmentLoss(segment, dir);
    if (loss !== null) return yield this.#describeLostEvents(segment, segment.journal, loss);
    for (const part of segment.parts)
      if (part.kind === 'journal' && part.to > after)
        yield this.#journals.rows(segment, part, dir) ??
          this.#describeLostEvents(segment, part, describeSegmentDamage(segment, dir));
  }

  #describeLostLines(
    { actor, at, removedAt }: Segment,
    range: Range,
    what: string,
  ): ArchivedLine[] {
    const n = findLastGoneFrame(this.#db, actor, range);
    if (n === null) return [];
    const since = removedAt ?? at;
    const line = `The log up to here, of frames ${range.from} to ${range.to}, ${what}`;
    const data = this.#broken.guard.frames.formatStoreLine(since, NOTICE_TAG, line);
    return [{ n, at: since, data }];
  }

  #describeLostEvents(
    { actor, at, removedAt, journal }: Segment,
    range: Range,
    what: string,
  ): JournalRow[] {
    const seq = findLastGoneEvent(this.#db, actor, range, journal.to);
    if (seq === null) return [];
    const message = `The journal up to here, of rows ${range.from} to ${range.to}, ${what}`;
    const event = { type: LOST_EVENT, message };
    return [{ actor, seq, at: removedAt ?? at, event, path: [], effects: [], note: true }];
  }
}

/** Tag of the line in place of lost log lines. */
const NOTICE_TAG = 'retention';
/** Type of the note in place of lost journal rows. */
const LOST_EVENT = 'kernel.archiveLost';
