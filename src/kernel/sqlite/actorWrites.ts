import type { ActorIndex } from '../chart.ts';
import type { ActorWrite } from '../writer.ts';
import type { Statements } from './thread/statements.ts';
import type { SqlValue } from './toSqlValue.ts';

const PUT = `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, updated_at, since,
  label, kind, parent, slot, waiting_since, activity, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot, generation = excluded.generation,
  seq = excluded.seq, frame_seq = excluded.frame_seq, updated_at = excluded.updated_at, since = excluded.since, label = excluded.label,
  kind = excluded.kind, parent = excluded.parent, slot = excluded.slot, waiting_since = excluded.waiting_since, activity = excluded.activity`;
// `OR ROLLBACK` as for the rows of features: a trigger of this table would make SQLite copy pages.
const SET =
  'UPDATE OR ROLLBACK actors SET version = ?, snapshot = ?, generation = ?, seq = ?, frame_seq = ?, updated_at = ?, since = ?';
const STEP = `${SET} WHERE id = ?`;

/** The columns of an actor's index, and their values. */
const INDEX: readonly [column: string, value: (index: ActorIndex) => SqlValue][] = [
  ['label', ({ label }) => label],
  ['kind', ({ kind }) => kind],
  ['parent', ({ parent }) => parent],
  ['slot', ({ slot }) => (slot ? 1 : 0)],
  ['waiting_since', ({ waitingSince }) => waitingSince],
  ['activity', ({ activity }) => activity],
];

/** Writes actors, but only changed index columns: SQLite rewrites each named column's index. */
export class ActorWrites {
  /** Statements by bit mask of the changed index columns. */
  readonly #sql: string[] = [];

  write(to: Statements, actor: ActorWrite, generation: number): void {
    const { id, version, snapshot, seq, frameSeq, updatedAt, since, index, was } = actor;
    if (!was) {
      putActor(to, actor, generation);
      return;
    }
    if (was === index) {
      to.run(STEP, version, snapshot, generation, seq, frameSeq, updatedAt, since, id);
      return;
    }
    let changedColumns = 0;
    const values: SqlValue[] = [];
    INDEX.forEach(([, value], n) => {
      if (value(index) === value(was)) return;
      changedColumns |= 1 << n;
      values.push(value(index));
    });
    this.#sql[changedColumns] ??= buildStepSql(changedColumns);
    const sql = this.#sql[changedColumns] ?? STEP;
    to.run(sql, version, snapshot, generation, seq, frameSeq, updatedAt, since, ...values, id);
  }
}

function putActor(to: Statements, actor: ActorWrite, generation: number): void {
  const { id, chart, version, snapshot, seq, frameSeq, updatedAt, since, createdAt } = actor;
  to.run(
    PUT,
    id,
    chart,
    version,
    snapshot,
    generation,
    seq,
    frameSeq,
    updatedAt,
    since,
    ...INDEX.map(([, value]) => value(actor.index)),
    createdAt,
  );
}

const buildStepSql = (changedColumns: number): string => {
  const columns = INDEX.filter((_, n) => (changedColumns & (1 << n)) !== 0);
  return `${SET}${columns.map(([column]) => `, ${column} = ?`).join('')} WHERE id = ?`;
};
