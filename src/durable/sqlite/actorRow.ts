import type { ActorRow } from '../writer.ts';

/** A record of the table `actors` as the kernel knows it. */
export function actorRow(record: Record<string, unknown>): ActorRow {
  return {
    id: String(record.id),
    chart: String(record.chart),
    version: Number(record.version),
    snapshot: String(record.snapshot),
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
