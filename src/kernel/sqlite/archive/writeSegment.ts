import { setImmediate as nextTurn } from 'node:timers/promises';
import { SvcError } from '../../../base/errors/errors.ts';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, ArchiveWriter, DRAFT } from './archiveFile.ts';
import type { ArchivePart } from './archivePart.ts';
import type { ArchiveStanding } from './findArchiveStanding.ts';
import type { SegmentDeps } from './segmentDeps.ts';
import { writeAnswers, writeEvents, writeFrames } from './writeStoredRows.ts';
import { verifyArchive } from './verifyArchive.ts';

export interface WrittenSegment {
  rows: number;
  bytes: number;
  sha256: string;
  parts: readonly ArchivePart[];
}

/**
 * Writes a segment's file, verifies it and names it. Changes nothing in the store. Throws SvcError
 * `store-failed` if verification fails, and system errors.
 */
export async function writeSegment(
  deps: SegmentDeps,
  path: string,
  { actor, n, frames, journal }: ArchiveStanding,
): Promise<WrittenSegment> {
  const { at, onStep: reached } = deps;
  const writer = await ArchiveWriter.begin(path, {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    actor,
    segment: n,
    journal: [journal.from, journal.to],
    frames: [frames.from, frames.to],
    at: new Date(at).toISOString(),
  });
  try {
    reached('begun');
    for await (const _ of writeEvents(deps, writer, actor, journal)) {
      reached('page');
      await nextTurn();
    }
    await writeAnswers(deps, writer, actor);
    for await (const _ of writeFrames(deps, writer, actor, frames)) {
      reached('page');
      await nextTurn();
    }
    const file = await writer.finish();
    reached('written');
    const archiveCondition = await verifyArchive(`${path}${DRAFT}`);
    const problem =
      'problem' in archiveCondition
        ? archiveCondition.problem
        : archiveCondition.sha256 === file.sha256 && archiveCondition.rows === file.rows
          ? null
          : 'it holds other bytes';
    if (problem !== null)
      throw new SvcError(
        'store-failed',
        `The archive ${path}${DRAFT} is not what was written: ${problem}. Check the disk; the log stays in the store.`,
      );
    reached('verified');
    await writer.publish();
    reached('published');
    return { ...file, parts: writer.parts };
  } finally {
    await writer.release();
  }
}
