import type { ActorRow } from '../writer.ts';
import type { BrokenRows } from './broken/brokenRows.ts';
import type { ActorCheck } from './broken/createActorCheck.ts';
import { toBrokenRow } from './broken/rowGuard.ts';

/**
 * A row of `actors`, as the driver made it. An unreadable one keeps its id taken: `brokenRows` says why.
 */
export function toActorRow(
  record: Record<string, unknown>,
  check: ActorCheck,
  brokenRows: BrokenRows,
): ActorRow {
  const snapshot = String(record.snapshot);
  // Checked when it is restored: it is most of most rows.
  record.snapshot = undefined;
  const problems = check(record);
  const id = String(record.id);
  const row = problems.length === 0 ? null : toBrokenRow('actors', id, problems);
  if (row) brokenRows.add(row);
  return {
    id,
    ...(row && { broken: row.reason }),
    chart: String(record.chart),
    version: Number(record.version),
    snapshot,
    seq: Number(record.seq),
    frameSeq: Number(record.frame_seq),
    index: {
      label: String(record.label),
      kind: String(record.kind),
      parent: record.parent === null ? null : String(record.parent),
      slot: record.slot === 1,
      waitingSince: record.waiting_since === null ? null : Number(record.waiting_since),
      activity: record.activity as ActorRow['index']['activity'],
    },
    createdAt: Number(record.created_at),
    updatedAt: Number(record.updated_at),
    since: Number(record.since),
  };
}
