import {
  createEffect,
  createMemo,
  createSignal,
  Index,
  type JSX,
  onCleanup,
  onMount,
} from 'solid-js';
import { runOnChange } from '../signals/runOnChange.ts';

interface RecycledListProps {
  count: number;
  rowPx: number;
  /** Draws the row at a place, which changes when the row is reused. */
  row: (at: () => number) => JSX.Element;
  /** Called with the places [from, to) that are in view. */
  look: (from: number, to: number) => void;
  /** Place that is at the top when the list is first drawn. Default 0. */
  start?: number;
  /** Brings this place into view whenever it changes; null = none. */
  shown?: number | null;
  class?: string;
}

/** Rows above and below what is seen that are drawn as well. */
const MARGIN_ROWS = 8;

/** Draws the visible rows of a list, all of one height; rows that leave are reused. */
export function RecycledList(props: RecycledListProps) {
  let box: HTMLDivElement | undefined;
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(800);
  const first = createMemo(() => Math.max(0, Math.floor(top() / props.rowPx) - MARGIN_ROWS));
  /** As many rows as can be in view; it only changes with the height of the box. */
  const drawnCount = createMemo(() =>
    Math.min(props.count, Math.ceil(height() / props.rowPx) + 2 * MARGIN_ROWS + 1),
  );
  const slots = createMemo(() => Array.from({ length: drawnCount() }, (_, slot) => slot));
  const from = createMemo(() => Math.max(0, Math.min(first(), props.count - drawnCount())));

  createEffect(() => {
    const firstSeen = Math.floor(top() / props.rowPx);
    props.look(firstSeen, Math.min(props.count, firstSeen + Math.ceil(height() / props.rowPx) + 1));
  });
  onMount(() => {
    if (!box) return;
    const observer = new ResizeObserver(() => box && setHeight(box.clientHeight));
    observer.observe(box);
    onCleanup(() => observer.disconnect());
    box.scrollTop = (props.start ?? 0) * props.rowPx;
  });
  runOnChange(
    () => props.shown ?? null,
    (at) => {
      if (!box || at === null) return;
      const [above, below] = [at * props.rowPx, (at + 1) * props.rowPx];
      if (above < box.scrollTop) box.scrollTop = above;
      else if (below > box.scrollTop + box.clientHeight) box.scrollTop = below - box.clientHeight;
    },
  );

  return (
    <div
      ref={box}
      class={`recycled ${props.class ?? ''}`}
      role="rowgroup"
      tabindex="0"
      onScroll={() => box && setTop(box.scrollTop)}
    >
      <div role="presentation" style={{ height: `${props.count * props.rowPx}px` }}>
        <Index each={slots()}>
          {(slot) => {
            // The place in view whose number ends like the slot's: scrolling by one row moves one.
            const at = createMemo(() => {
              const size = Math.max(1, drawnCount());
              return from() + ((((slot() - from()) % size) + size) % size);
            });
            return (
              <div
                role="presentation"
                class="recycled-row"
                style={{
                  transform: `translateY(${at() * props.rowPx}px)`,
                  height: `${props.rowPx}px`,
                }}
              >
                {props.row(at)}
              </div>
            );
          }}
        </Index>
      </div>
    </div>
  );
}
