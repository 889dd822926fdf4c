import type { ActorIndex } from '../../chart.ts';
import type { ColumnSpec } from './createColumnCheck.ts';

export const KERNEL_SHAPES = {
  meta: { key: 'text', value: 'text' },
  actors: {
    id: 'text',
    chart: 'text',
    version: 'count',
    snapshot: 'object',
    generation: 'count',
    seq: 'count',
    frame_seq: 'count',
    label: 'text',
    kind: 'text',
    parent: 'text?',
    slot: 'flag',
    waiting_since: 'time?',
    activity: {
      oneOf: { live: true, parked: true, ended: true } satisfies Record<
        ActorIndex['activity'],
        true
      >,
    },
    created_at: 'time',
    updated_at: 'time',
    since: 'time',
  },
  journal: {
    actor: 'text',
    seq: 'count',
    at: 'time',
    event: 'object',
    path: 'texts',
    effects: 'objects',
    note: 'flag',
  },
  blobs: { hash: 'text', body: 'object' },
  outbox: {
    effect_id: 'text',
    actor: 'text',
    seq: 'count',
    type: 'text',
    params: 'object',
    attempt: 'count',
    started_seq: 'count',
    clean_stop: 'flag',
  },
  timers: {
    actor: 'text',
    name: 'text',
    due: 'time',
    event: { object: { members: { type: 'text' } } },
  },
  inbox: { actor: 'text', source: 'text', external_id: 'text', at: 'time', seq: 'count' },
  mail: { id: 'text', receiver: 'text', event: { object: { members: { type: 'text' } } } },
  frames: { actor: 'text', n: 'count', at: 'time', kind: 'text', data: 'object' },
  archives: {
    actor: 'text',
    n: 'count',
    file: 'text',
    // Both ends included; none if the end is below the beginning.
    from_frame: 'whole',
    to_frame: 'whole',
    from_seq: 'whole',
    to_seq: 'whole',
    rows: 'count',
    bytes: 'count',
    sha256: 'text',
    at: 'time',
    // 0: the tables may still have rows that the file has.
    cleared: 'flag',
    removed_at: 'time?',
    parts: 'objects',
  },
  // Only read by the log itself, which checks the hashes.
  log_outgoing: { n: 'count', generation: 'count', hash: 'text' },
  quarantined_rows: {
    id: 'count',
    at: 'time',
    table_name: 'text',
    row_id: 'text',
    reason: 'text',
    content: 'object',
  },
} as const satisfies Record<string, Record<string, ColumnSpec>>;
