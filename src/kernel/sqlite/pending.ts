import type { DurableEvent } from '../chart.ts';
import type { MailRow, OutboxRow, TimerRow } from '../writer.ts';
import type { BrokenRows } from './broken/brokenRows.ts';
import { pickReadableRows } from './broken/rowGuard.ts';
import type { Database } from './database.ts';

const KERNEL_KEYS = {
  actors: { table: 'actors', key: ['id'] },
  journal: { table: 'journal', key: ['actor', 'seq'] },
  outbox: { table: 'outbox', key: ['effect_id'] },
  timers: { table: 'timers', key: ['actor', 'name'] },
  inbox: { table: 'inbox', key: ['actor', 'source', 'external_id'] },
  mail: { table: 'mail', key: ['id'] },
  frames: { table: 'frames', key: ['actor', 'n'] },
} as const;

const toTimerRow = (record: Record<string, unknown>): TimerRow => ({
  actor: String(record.actor),
  name: String(record.name),
  due: Number(record.due),
  event: JSON.parse(String(record.event)) as DurableEvent,
});

/** JSON that no chart gives as params. */
const UNREADABLE = 'null';
/** A type that no effect has. */
const NO_TYPE = 'unreadable';
/**
 * Effects are never dropped: their charts would wait forever. Without readable counters it runs as
 * if new; without type or params it is given up.
 */
const EFFECT_INSTEAD = {
  seq: 0,
  type: NO_TYPE,
  params: UNREADABLE,
  attempt: 1,
  started_seq: 0,
  clean_stop: 0,
};

/** The earliest readable timers, at most `limit`. */
export function listEarliestTimers(
  db: Database,
  brokenRows: BrokenRows,
  limit: number,
): TimerRow[] {
  const timers: TimerRow[] = [];
  // Unreadable rows may come first, and must not hold up the others.
  for (let offset = 0; timers.length < limit; offset += limit) {
    const rows = db.all(
      'SELECT * FROM timers ORDER BY due, actor, name LIMIT ? OFFSET ?',
      limit,
      offset,
    );
    timers.push(...pickReadableRows(brokenRows, KERNEL_KEYS.timers, rows).map(toTimerRow));
    if (rows.length < limit) break;
  }
  return timers.slice(0, limit);
}

/** An actor's readable timers, earliest first. */
export const listActorTimers = (db: Database, brokenRows: BrokenRows, actor: string): TimerRow[] =>
  pickReadableRows(
    brokenRows,
    KERNEL_KEYS.timers,
    db.all('SELECT * FROM timers WHERE actor = ? ORDER BY due, name', actor),
  ).map(toTimerRow);

/** Pending effects: oldest step first, then in the step's order. Reports unreadable columns. */
export function listPendingEffects(db: Database, brokenRows: BrokenRows): OutboxRow[] {
  const rows =
    db.all(`SELECT outbox.* FROM outbox LEFT JOIN journal ON journal.actor = outbox.actor AND journal.seq = outbox.seq
    ORDER BY journal.at, outbox.actor, outbox.seq, length(effect_id), effect_id`);
  return pickReadableRows(brokenRows, KERNEL_KEYS.outbox, rows, EFFECT_INSTEAD).map((record) => ({
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

/** A message has the id of the effect that wrote it: `<actor>/<seq>/<index>`. */
function findLetterOrigin(
  db: Database,
  id: string,
): { at: number; actor: string; seq: number; index: number } {
  const [, actor = '', seq, index] = /^(.*)\/(\d+)\/(\d+)$/s.exec(id) ?? [];
  const at = db.get('SELECT at FROM journal WHERE actor = ? AND seq = ?', actor, Number(seq))?.at;
  return { at: Number(at ?? 0), actor, seq: Number(seq), index: Number(index) };
}

/** Undelivered messages, oldest first. Unreadable ones stay. */
export function listPendingMail(db: Database, brokenRows: BrokenRows): MailRow[] {
  return pickReadableRows(brokenRows, KERNEL_KEYS.mail, db.all('SELECT * FROM mail'))
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
