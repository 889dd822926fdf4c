import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrokenRows } from '../broken/brokenRows.ts';
import { pickReadableRows } from '../broken/rowGuard.ts';
import type { Database } from '../database.ts';
import type { Range } from './keptRows.ts';
import type { ArchivePart } from './archivePart.ts';

/** A row of `archives`. */
export interface Segment {
  actor: string;
  n: number;
  file: string;
  /** First and last number; none if the last is below the first. */
  frames: Range;
  journal: Range;
  bytes: number;
  sha256: string;
  at: number;
  removedAt: number | null;
  parts: readonly ArchivePart[];
}

export const listSegments = (db: Database, brokenRows: BrokenRows, actor: string): Segment[] =>
  pickReadableRows(
    brokenRows,
    { table: 'archives', key: ['actor', 'n'] },
    db.all('SELECT * FROM archives WHERE actor = ? ORDER BY n', actor),
  ).map((row) => ({
    actor,
    n: Number(row.n),
    file: String(row.file),
    frames: { from: Number(row.from_frame), to: Number(row.to_frame) },
    journal: { from: Number(row.from_seq), to: Number(row.to_seq) },
    bytes: Number(row.bytes),
    sha256: String(row.sha256),
    at: Number(row.at),
    removedAt: row.removed_at === null ? null : Number(row.removed_at),
    parts: JSON.parse(String(row.parts)) as ArchivePart[],
  }));

/** Why nothing of the segment can be read, for people; null = its file has the written length. */
export function explainSegmentLoss(
  { file, bytes, removedAt }: Segment,
  dir: string,
): string | null {
  if (removedAt !== null)
    return `was removed by retention at ${new Date(removedAt).toISOString()}.`;
  const path = join(dir, file);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === bytes) return null;
  return size === undefined
    ? `cannot be read: its archive ${path} is missing. ${ADVICE}`
    : `cannot be read: its archive ${path} has ${size} bytes, and ${bytes} were written. ${ADVICE}`;
}

export const describeSegmentDamage = ({ file }: Segment, dir: string): string =>
  `cannot be read: its archive ${join(dir, file)} was changed. ${ADVICE}`;

const ADVICE = 'Put it back from a backup.';
