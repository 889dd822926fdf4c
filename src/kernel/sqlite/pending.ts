import type { DurableEvent } from '../chart.ts';
import type { MailRow, OutboxRow, TimerRow } from '../writer.ts';
import type { BrokenRows } from './broken/brokenRows.ts';
import { KERNEL_KEYS } from './broken/kernelKeys.ts';
import { pickReadableRows } from './broken/rowGuard.ts';
import type { Database } from './database.ts';

const toTimerRow = (record: Record<string, unknown>): TimerRow => ({
  actor: String(record.actor),
  name: String(record.name),
  due: Number(record.due),
  event: JSON.parse(String(record.event)) as DurableEvent,
});

/** JSON of no params that a chart ever gives. */
const UNREADABLE = 'null';
/** The type of no effect. */
const NO_TYPE = 'unreadable';
/**
 * An effect is never forgotten: its chart would wait for it for ever. Without its counters it runs as if it
 * had just been asked for; without its type or params it is given up.
 */
const EFFECT_INSTEAD = {
  seq: 0,
  type: NO_TYPE,
  params: UNREADABLE,
  attempt: 1,
  started_seq: 0,
  clean_stop: 0,
};

/** The earliest timers that can be read, at most `limit`. */
export function listEarliestTimers(db: Database, broken: BrokenRows, limit: number): TimerRow[] {
  const timers: TimerRow[] = [];
  // Any number of rows that cannot be read may come first: they must not keep the others waiting.
  for (let offset = 0; timers.length < limit; offset += limit) {
    const rows = db.all(
      'SELECT * FROM timers ORDER BY due, actor, name LIMIT ? OFFSET ?',
      limit,
      offset,
    );
    timers.push(...pickReadableRows(broken, KERNEL_KEYS.timers, rows).map(toTimerRow));
    if (rows.length < limit) break;
  }
  return timers.slice(0, limit);
}

/** The timers of an actor that can be read, earliest first. */
export const listActorTimers = (db: Database, broken: BrokenRows, actor: string): TimerRow[] =>
  pickReadableRows(
    broken,
    KERNEL_KEYS.timers,
    db.all('SELECT * FROM timers WHERE actor = ? ORDER BY due, name', actor),
  ).map(toTimerRow);

/**
 * Effects that are not done, oldest first: by the time of the step that asked for them, then in its
 * order. Columns that cannot be read are reported.
 */
export function listPendingEffects(db: Database, broken: BrokenRows): OutboxRow[] {
  const rows =
    db.all(`SELECT outbox.* FROM outbox LEFT JOIN journal ON journal.actor = outbox.actor AND journal.seq = outbox.seq
    ORDER BY journal.at, outbox.actor, outbox.seq, length(effect_id), effect_id`);
  return pickReadableRows(broken, KERNEL_KEYS.outbox, rows, EFFECT_INSTEAD).map((record) => ({
    effectId: String(record.effect_id),
    actor: String(record.actor),
    seq: Number(record.seq),
    type: String(record.type),
    params: JSON.parse(String(record.params)) as unknown,
    attempt: Number(record.attempt),
    startedSeq: Number(record.started_seq),
    cleanStop: record.clean_stop === 1,
    ...((record.params === UNREADABLE || record.type === NO_TYPE) && {
      broken: 'what the effect was to do cannot be read from state.db',
    }),
  }));
}

/** A letter's id is that of the effect that wrote it: `<actor>/<seq>/<index>`. */
function findLetterOrigin(
  db: Database,
  id: string,
): { at: number; actor: string; seq: number; index: number } {
  const [, actor = '', seq, index] = /^(.*)\/(\d+)\/(\d+)$/s.exec(id) ?? [];
  const at = db.get('SELECT at FROM journal WHERE actor = ? AND seq = ?', actor, Number(seq))?.at;
  return { at: Number(at ?? 0), actor, seq: Number(seq), index: Number(index) };
}

/** Messages that are not delivered, oldest first. Those that cannot be read stay where they are. */
export function listPendingMail(db: Database, broken: BrokenRows): MailRow[] {
  return pickReadableRows(broken, KERNEL_KEYS.mail, db.all('SELECT * FROM mail'))
    .map((record) => ({
      row: {
        id: String(record.id),
        to: String(record.receiver),
        event: JSON.parse(String(record.event)) as DurableEvent,
      },
      from: findLetterOrigin(db, String(record.id)),
    }))
    .sort(
      ({ from: a }, { from: b }) =>
        a.at - b.at ||
        (a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : a.seq - b.seq || a.index - b.index),
    )
    .map(({ row }) => row);
}
