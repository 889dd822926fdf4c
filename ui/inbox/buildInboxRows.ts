import { GROUPS, type InboxGroup, type InboxItem } from './inboxItems.ts';

/** A row of the list; `gone`: what it is about no longer waits, its row keeps its place for a moment. */
export interface InboxListRow {
  item: InboxItem;
  gone: boolean;
}

export interface InboxListRows {
  rows: readonly InboxListRow[];
  held: number;
}

export const NO_ROWS: InboxListRows = { rows: [], held: 0 };

/**
 * The rows to show. While `still`, as the pointer is over the list, nothing may move under it: what
 * is gone keeps its place, and what is new waits. Otherwise the rows are the items.
 */
export function buildInboxRows(
  before: InboxListRows,
  items: readonly InboxItem[],
  still: boolean,
): InboxListRows {
  if (!still || before.rows.length === 0)
    return { rows: items.map((item) => ({ item, gone: false })), held: 0 };
  const byId = new Map(items.map((item) => [item.id, item]));
  const rows = before.rows.map(({ item }) => {
    const now = byId.get(item.id);
    // An item that has changed its group counts as another one: its row keeps its place.
    return now?.group === item.group ? { item: now, gone: false } : { item, gone: true };
  });
  const shownCount = rows.filter(({ gone }) => !gone).length;
  return { rows, held: items.length - shownCount };
}

/** The rows of each group that has some. */
export const groupInboxRows = ({
  rows,
}: InboxListRows): { group: InboxGroup; rows: InboxListRow[] }[] =>
  GROUPS.map((group) => ({ group, rows: rows.filter(({ item }) => item.group === group) })).filter(
    ({ rows: some }) => some.length > 0,
  );

/**
 * The item `by` places after another one among the waiting ones, in row order; without an open item
 * the first one. null = no other item waits.
 */
export function findItemBeside(
  { rows }: InboxListRows,
  id: string | null,
  by: number,
): InboxItem | null {
  const open = rows.filter(({ gone, item }) => !gone || item.id === id);
  const here = open.findIndex(({ item }) => item.id === id);
  return (here === -1 ? open[0] : open[here + by])?.item ?? null;
}

/** The item to open when one is done: the next one, or the previous one where it was the last. */
export const pickItemAfterDone = (rows: InboxListRows, id: string): string | null =>
  (findItemBeside(rows, id, 1) ?? findItemBeside(rows, id, -1))?.id ?? null;
