import type { DurableEvent } from '../chart.ts';
import type { MailRow, OutboxRow, TimerRow } from '../writer.ts';
import type { Database } from './database.ts';

export const timerRow = (record: Record<string, unknown>): TimerRow => ({
  actor: String(record.actor),
  name: String(record.name),
  due: Number(record.due),
  event: JSON.parse(String(record.event)) as DurableEvent,
});

/**
 * Effects that are not done, oldest first: by the time of the step that asked for them, then in its
 * order.
 */
export function pendingEffects(db: Database): OutboxRow[] {
  const rows =
    db.all(`SELECT outbox.* FROM outbox LEFT JOIN journal ON journal.actor = outbox.actor AND journal.seq = outbox.seq
    ORDER BY journal.at, outbox.actor, outbox.seq, length(effect_id), effect_id`);
  return rows.map((record) => ({
    effectId: String(record.effect_id),
    actor: String(record.actor),
    seq: Number(record.seq),
    type: String(record.type),
    params: JSON.parse(String(record.params)) as unknown,
    attempt: Number(record.attempt),
    startedSeq: Number(record.started_seq),
    cleanStop: record.clean_stop === 1,
  }));
}

/** A letter's id is that of the effect that wrote it: `<actor>/<seq>/<index>`. */
function origin(
  db: Database,
  id: string,
): { at: number; actor: string; seq: number; index: number } {
  const [, actor = '', seq, index] = /^(.*)\/(\d+)\/(\d+)$/s.exec(id) ?? [];
  const at = db.get('SELECT at FROM journal WHERE actor = ? AND seq = ?', actor, Number(seq))?.at;
  return { at: Number(at ?? 0), actor, seq: Number(seq), index: Number(index) };
}

/** Messages that are not delivered, oldest first. */
export function pendingMail(db: Database): MailRow[] {
  return db
    .all('SELECT * FROM mail')
    .map((record) => ({
      row: {
        id: String(record.id),
        to: String(record.receiver),
        event: JSON.parse(String(record.event)) as DurableEvent,
      },
      from: origin(db, String(record.id)),
    }))
    .sort(
      ({ from: a }, { from: b }) =>
        a.at - b.at ||
        (a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : a.seq - b.seq || a.index - b.index),
    )
    .map(({ row }) => row);
}
