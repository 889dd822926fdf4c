import { createEffect, createMemo, createSignal, For } from 'solid-js';
import { createSeats } from '../../../shell/lists/createSeats.ts';
import type { Token } from '../code/tokens.ts';
import { type DiffFile, type DiffLine, toLinePlace } from '../diff/diffFile.ts';
import { type DiffRow, listRowLines } from '../diff/diffRows.ts';
import type { Slab } from './diffBlocks.ts';
import type { FilesReview } from './filesReview.ts';
import type { FilesView } from './filesView.ts';
import { listLineColumns, LineRow } from './LineRow.tsx';

const NO_TOKENS: ReadonlyMap<DiffLine, Token[]> = new Map();

/** Some lines of a file, with the comments below each of them. */
export function LineRows(props: {
  slab: Slab;
  /** False while these rows show nothing, and wait for other lines. */
  isUsed: boolean;
  view: FilesView;
  review: FilesReview | null;
  tokensOf: (file: DiffFile) => ReadonlyMap<DiffLine, Token[]>;
  isFast: boolean;
}) {
  let table: HTMLTableElement | undefined;
  // Changes together with the rows: a row of one slab within another would be drawn twice.
  const [slab, setSlab] = createSignal(props.slab);
  // Lines that come while the page flies past have no colours until it rests; others keep theirs.
  const coloured = createMemo<Slab | null>(
    (before) => (props.isFast && before !== slab() ? null : slab()),
    null,
  );
  const tokens = createMemo(() => (coloured() ? props.tokensOf(slab().file) : NO_TOKENS));
  const first = createMemo(() =>
    slab().index === 0
      ? slab()
          .rows.flatMap(listRowLines)
          .find((line) => toLinePlace(line) !== null)
      : undefined,
  );
  const of = { slab, tokens, first, view: props.view, review: () => props.review };
  const rows = createSeats<DiffRow>((row, isUsed) => (
    <LineRow row={row()} isUsed={isUsed() && props.isUsed} of={of} />
  ));
  createEffect(() => {
    const parent = table;
    if (!parent) return;
    setSlab(props.slab);
    rows.seat(props.isUsed ? props.slab.rows : [], () => parent);
  });
  return (
    <table ref={table} classList={{ 'diff-lines': true, split: props.view.split() }}>
      <colgroup>
        <For each={listLineColumns(props.view)}>{(column) => <col class={column} />}</For>
      </colgroup>
    </table>
  );
}
