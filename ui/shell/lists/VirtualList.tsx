import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount } from 'solid-js';
import { createSeats } from './createSeats.ts';
import { computeOffsets, type Offsets, findVisibleRange } from './virtualRange.ts';
import { runOnChange } from '../signals/runOnChange.ts';

interface VirtualListProps<Item> {
  items: readonly Item[];
  /** Height of a row in px, before it has been seen. */
  estimate: (item: Item) => number;
  /** Draws a row; its item and index change when the row is reused. */
  row: (item: () => Item, index: () => number) => JSX.Element;
  class?: string;
  label: string;
  /** Brings the item of this index into view whenever it changes and is not; null = none. */
  shown?: number | null;
}

/** Px above and below what is seen that are drawn as well. */
const MARGIN_PX = 400;

/** Draws the visible part of a list. Row heights are guessed first, then measured. */
export function VirtualList<Item extends object>(props: VirtualListProps<Item>) {
  let box: HTMLDivElement | undefined;
  let rows: HTMLDivElement | undefined;
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(800);
  const [heightsByItem, setHeightsByItem] = createSignal(new WeakMap<Item, number>(), {
    equals: false,
  });

  const offsets = createMemo<Offsets>(() => {
    const heights = heightsByItem();
    const { estimate } = props;
    return computeOffsets(props.items, (item) => heights.get(item) ?? estimate(item));
  });
  const range = createMemo(
    () => findVisibleRange(offsets(), top() - MARGIN_PX, top() + height() + MARGIN_PX),
    undefined,
    { equals: (one, other) => one.from === other.from && one.to === other.to },
  );
  const drawnItems = createMemo(() => props.items.slice(range().from, range().to));
  const places = createMemo(
    () => new Map(drawnItems().map((item, index) => [item, range().from + index])),
  );

  function measure(): void {
    const heights = heightsByItem();
    let differs = false;
    for (const row of rows?.querySelectorAll<HTMLElement>(':scope > [data-index]') ?? []) {
      const item = props.items[Number(row.dataset['index'])];
      if (!item || row.offsetHeight === 0 || heights.get(item) === row.offsetHeight) continue;
      differs ||= Math.abs((heights.get(item) ?? props.estimate(item)) - row.offsetHeight) > 0.5;
      heights.set(item, row.offsetHeight);
    }
    if (differs) setHeightsByItem(heights);
  }

  onMount(() => {
    if (!box) return;
    let width = box.clientWidth;
    setHeight(box.clientHeight);
    const observer = new ResizeObserver(() => {
      if (!box) return;
      setHeight(box.clientHeight);
      // Another width breaks lines at other places: what was measured counts no more.
      if (box.clientWidth !== width) setHeightsByItem(new WeakMap());
      width = box.clientWidth;
    });
    observer.observe(box);
    onCleanup(() => observer.disconnect());
  });
  const seats = createSeats<Item>((item, isUsed) => {
    const at = () => places().get(item()) ?? 0;
    return (
      // biome-ignore lint/a11y/useSemanticElements: ul takes only li, and the height stands between them
      <div
        role="listitem"
        aria-setsize={props.items.length}
        aria-posinset={at() + 1}
        data-index={at()}
        style={{ transform: `translateY(${offsets().starts[at()] ?? 0}px)` }}
      >
        {props.row(item, () => (isUsed() ? at() : -1))}
      </div>
    );
  });
  createEffect(() => {
    const parent = rows;
    if (parent) seats.seat(drawnItems(), () => parent);
  });
  createEffect(on(drawnItems, () => requestAnimationFrame(measure)));
  runOnChange(
    () => props.shown ?? null,
    (index) => {
      if (!box || index === null) return;
      const { starts, total } = offsets();
      const start = starts[index] ?? 0;
      // Scrolling lays the whole page out at once, so it is done only if the row is out of sight.
      if (start >= top() && (starts[index + 1] ?? total) <= top() + height()) return;
      box.scrollTop = Math.max(0, start - height() / 3);
    },
  );

  return (
    // In the tab order: a box that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: its child is the height, which ul does not take
    <div
      ref={box}
      class={`virtual ${props.class ?? ''}`}
      role="list"
      aria-label={props.label}
      tabindex="0"
      onScroll={() => box && setTop(box.scrollTop)}
    >
      <div ref={rows} role="presentation" style={{ height: `${offsets().total}px` }} />
    </div>
  );
}
