/** Where each row of a list begins, px from its top, and how high all of them are. */
export interface Offsets {
  starts: Float64Array;
  total: number;
}

export function computeOffsets<Item>(
  items: readonly Item[],
  measureHeight: (item: Item) => number,
): Offsets {
  const starts = new Float64Array(items.length);
  let total = 0;
  items.forEach((item, index) => {
    starts[index] = total;
    total += measureHeight(item);
  });
  return { starts, total };
}

/** Indexes [from, to) of the rows of which something lies between two heights. */
export function findVisibleRange(
  { starts }: Offsets,
  top: number,
  bottom: number,
): { from: number; to: number } {
  return { from: Math.max(0, findFirstAfter(starts, top) - 1), to: findFirstAfter(starts, bottom) };
}

/** Index of the first row that begins below a height; the number of rows where none does. */
function findFirstAfter(starts: Float64Array, height: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) > height) high = middle;
    else low = middle + 1;
  }
  return low;
}
