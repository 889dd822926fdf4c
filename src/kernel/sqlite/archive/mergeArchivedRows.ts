/** Merges two lists in the same order; an archived row with a number of the other is dropped. */
export function mergeArchivedRows<Row>(
  stored: readonly Row[],
  archived: Iterable<Row>,
  limit: number,
  getNumber: (row: Row) => number,
  descending = false,
): Row[] {
  const taken: Row[] = [];
  // Most actors have no archive and need no set.
  let known: Set<number> | undefined;
  if (limit > 0)
    for (const row of archived) {
      known ??= new Set(stored.map(getNumber));
      if (!known.has(getNumber(row))) taken.push(row);
      if (taken.length === limit) break;
    }
  if (taken.length === 0) return [...stored];
  const sign = descending ? -1 : 1;
  return [...stored, ...taken].sort((a, b) => sign * (getNumber(a) - getNumber(b))).slice(0, limit);
}
