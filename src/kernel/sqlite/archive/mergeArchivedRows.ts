/** Merges two lists in the same order; an archived row with a number of the other is dropped. */
export function mergeArchivedRows<Row>(
  storedRows: readonly Row[],
  archivedRows: Iterable<Row>,
  limit: number,
  getNumber: (row: Row) => number,
  descending = false,
): Row[] {
  const mergedRows: Row[] = [];
  // Most actors have no archive and need no set.
  let keptNumbers: Set<number> | undefined;
  if (limit > 0)
    for (const row of archivedRows) {
      keptNumbers ??= new Set(storedRows.map(getNumber));
      if (!keptNumbers.has(getNumber(row))) mergedRows.push(row);
      if (mergedRows.length === limit) break;
    }
  if (mergedRows.length === 0) return [...storedRows];
  const sign = descending ? -1 : 1;
  return [...storedRows, ...mergedRows]
    .sort((a, b) => sign * (getNumber(a) - getNumber(b)))
    .slice(0, limit);
}
