import type { RowChange } from '../contract/records/changes.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import { canBeSettled, pickItems } from './message/composeMessage.ts';
import type { NotificationItem, NotificationMessage } from './message/notificationMessage.ts';

type MessageRow = Tables['notification_messages'];
type ShownRow = Tables['notification_shown'];

const SETTLED = 1;
const SAID = 2;

const toShownRow = (
  { id, channel }: Pick<MessageRow, 'id' | 'channel'>,
  fact: string,
  settled: number,
): RowChange => ({
  op: 'put',
  table: 'notification_shown',
  row: { fact, message: id, channel, settled },
});

/** Of a message that was delivered and can be changed: what it shows that a job or a schedule may settle. */
export const noteShown = (
  message: Pick<MessageRow, 'id' | 'channel'>,
  items: readonly NotificationItem[],
): RowChange[] =>
  items
    .filter((item) => (item.job ?? item.schedule) !== null && canBeSettled(item))
    .map(({ id }) => toShownRow(message, id, 0));

/** What was settled while the message was sent, so before a trigger could note it. */
export function noteSettledMeanwhile(
  rows: TypedRows<Tables>,
  message: Pick<MessageRow, 'id' | 'channel'>,
  items: readonly NotificationItem[],
): RowChange[] {
  const resolvedIds = new Set(items.filter(({ resolved }) => resolved).map(({ id }) => id));
  return rows
    .all('notification_shown', { channel: message.channel, settled: 0 })
    .filter((row) => row.message === message.id && resolvedIds.has(row.fact))
    .map(({ fact }) => toShownRow(message, fact, SETTLED));
}

/** The message of a channel that still says what is settled; null = none does. */
export function findOutdatedMessage(rows: TypedRows<Tables>, channel: string): MessageRow | null {
  const where = { channel, settled: SETTLED };
  const [row] = rows.all('notification_shown', where, { limit: 1 });
  if (row === undefined) return null;
  return rows.one('notification_messages', { id: row.message }) ?? null;
}

export interface OutdatedMessage {
  /** With all that it shows, as it is now; null = it shows nothing any more. */
  message: NotificationMessage | null;
  /** What is written once the change was delivered, or is given up. */
  said: RowChange[];
}

/** How an outdated message is now. */
export function composeChange(
  rows: TypedRows<Tables>,
  { id, channel }: Pick<MessageRow, 'id' | 'channel'>,
  composedMessage: NotificationMessage,
): OutdatedMessage {
  const shownRows = rows
    .all('notification_shown', { channel })
    .filter(({ message }) => message === id);
  const shownIds = new Set(shownRows.map(({ fact }) => fact));
  const isOver = shownRows.every(({ settled }) => settled !== 0);
  return {
    message: pickItems(composedMessage, (item) => shownIds.has(item.id)),
    said: isOver ? dropShown(shownRows) : sayAgain(shownRows, { id, channel }),
  };
}

const sayAgain = (
  shownRows: readonly ShownRow[],
  message: Pick<MessageRow, 'id' | 'channel'>,
): RowChange[] =>
  shownRows
    .filter(({ settled }) => settled === SETTLED)
    .map(({ fact }) => toShownRow(message, fact, SAID));

/** Rows whose message is not changed any more. */
export const dropShown = (shownRows: readonly ShownRow[]): RowChange[] =>
  shownRows.map(({ fact, message }) => ({
    op: 'drop',
    table: 'notification_shown',
    key: { fact, message },
  }));
