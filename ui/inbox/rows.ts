import type { NeedsGroup } from '../../src/schema/job.ts';
import { GROUPS, type InboxItem } from './waiting.ts';

/** A row of the list; `gone`: the job no longer waits, its row keeps its place for a moment. */
export interface Row {
  item: InboxItem;
  gone: boolean;
}

/** The rows, and how many items wait for their row to appear. */
export interface Rows {
  rows: readonly Row[];
  held: number;
}

export const NO_ROWS: Rows = { rows: [], held: 0 };

/**
 * The rows to show. While `still`, as the pointer is over the list, nothing may move under it: what
 * is gone keeps its place, and what is new waits. Otherwise the rows are the items.
 */
export function rowsOf(before: Rows, items: readonly InboxItem[], still: boolean): Rows {
  if (!still || before.rows.length === 0)
    return { rows: items.map((item) => ({ item, gone: false })), held: 0 };
  const byJob = new Map(items.map((item) => [item.jobId, item]));
  const rows = before.rows.map(({ item }) => {
    const now = byJob.get(item.jobId);
    // One that has changed its group is another one as well: its row is where it was.
    return now?.group === item.group ? { item: now, gone: false } : { item, gone: true };
  });
  const shown = rows.filter(({ gone }) => !gone).length;
  return { rows, held: items.length - shown };
}

/** The rows of each group that has some. */
export const groupsOf = ({ rows }: Rows): { group: NeedsGroup; rows: Row[] }[] =>
  GROUPS.map((group) => ({ group, rows: rows.filter(({ item }) => item.group === group) })).filter(
    ({ rows: some }) => some.length > 0,
  );

/**
 * The job `by` places from another one among those that wait, in the order of the rows; the last
 * or first one where none was open. Null where no other one waits.
 */
export function jobAt({ rows }: Rows, jobId: string | null, by: 1 | -1): string | null {
  const open = rows.filter(({ gone, item }) => !gone || item.jobId === jobId);
  const here = open.findIndex(({ item }) => item.jobId === jobId);
  if (here === -1) return open[0]?.item.jobId ?? null;
  const next = open[here + by] ?? null;
  return next?.item.jobId ?? null;
}

/** The job to open when one is done: the next one, or the one before where it was the last. */
export const afterDone = (rows: Rows, jobId: string): string | null =>
  jobAt(rows, jobId, 1) ?? jobAt(rows, jobId, -1);
