import {
  createEffect,
  createMemo,
  createSignal,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
} from 'solid-js';
import { offsetsOf, type Offsets, rangeOf } from './virtualRange.ts';

interface VirtualListProps<Item> {
  items: readonly Item[];
  /** Height of a row in px, before it has been seen. */
  estimate: (item: Item) => number;
  row: (item: Item, index: () => number) => JSX.Element;
  class?: string;
  label: string;
  /** `log` follows its end unless the user has scrolled up. */
  role: 'list' | 'log';
  /** Brings the item of this index into view whenever it changes and is not; null = none. */
  shown?: number | null;
}

/** Px above and below what is seen that are drawn as well. */
const MARGIN_PX = 400;
/** A log that is this near to its end, px, follows it. */
const AT_END_PX = 24;

/**
 * Draws the visible part of a long list. Rows may have any height: guessed first, measured once
 * they are drawn.
 */
export function VirtualList<Item extends object>(props: VirtualListProps<Item>) {
  let box: HTMLDivElement | undefined;
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(800);
  const [measured, setMeasured] = createSignal(new WeakMap<Item, number>(), { equals: false });
  let following = true;

  const offsets = createMemo<Offsets>(() => {
    const known = measured();
    const { estimate } = props;
    return offsetsOf(props.items, (item) => known.get(item) ?? estimate(item));
  });
  const range = createMemo(() =>
    rangeOf(offsets(), top() - MARGIN_PX, top() + height() + MARGIN_PX),
  );
  const drawn = createMemo(() => props.items.slice(range().from, range().to));

  function measure(): void {
    const known = measured();
    let differs = false;
    for (const row of box?.querySelectorAll<HTMLElement>(':scope > div > [data-index]') ?? []) {
      const item = props.items[Number(row.dataset['index'])];
      if (!item || row.offsetHeight === 0 || known.get(item) === row.offsetHeight) continue;
      differs ||= Math.abs((known.get(item) ?? props.estimate(item)) - row.offsetHeight) > 0.5;
      known.set(item, row.offsetHeight);
    }
    if (differs) setMeasured(known);
  }

  onMount(() => {
    if (!box) return;
    let width = box.clientWidth;
    setHeight(box.clientHeight);
    const observer = new ResizeObserver(() => {
      if (!box) return;
      setHeight(box.clientHeight);
      // Another width breaks lines at other places: what was measured counts no more.
      if (box.clientWidth !== width) setMeasured(new WeakMap());
      width = box.clientWidth;
    });
    observer.observe(box);
    onCleanup(() => observer.disconnect());
  });
  createEffect(on(drawn, () => requestAnimationFrame(measure)));
  createEffect(
    on(offsets, ({ total }) => {
      if (box && following && props.role === 'log' && (props.shown ?? null) === null)
        box.scrollTop = total;
    }),
  );
  createEffect(
    on(
      () => props.shown ?? null,
      (index) => {
        if (!box || index === null) return;
        const { starts, total } = offsets();
        const start = starts[index] ?? 0;
        // To scroll lays the whole page out at once: only where it is out of sight.
        if (start >= top() && (starts[index + 1] ?? total) <= top() + height()) return;
        box.scrollTop = Math.max(0, start - height() / 3);
      },
    ),
  );

  const scrolled = () => {
    if (!box) return;
    setTop(box.scrollTop);
    if (props.role === 'log')
      following = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX;
  };

  const place = (at: number) =>
    props.role === 'list'
      ? { role: 'listitem' as const, 'aria-setsize': props.items.length, 'aria-posinset': at + 1 }
      : {};

  return (
    // In the tab order: a box that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: every role that a list is given supports a label
    <div
      ref={box}
      class={`virtual ${props.class ?? ''}`}
      role={props.role}
      aria-label={props.label}
      tabindex="0"
      onScroll={scrolled}
    >
      <div role="presentation" style={{ height: `${offsets().total}px` }}>
        <For each={drawn()}>
          {(item, index) => {
            const at = () => range().from + index();
            return (
              <div
                {...place(at())}
                data-index={at()}
                style={{ transform: `translateY(${offsets().starts[at()] ?? 0}px)` }}
              >
                {props.row(item, at)}
              </div>
            );
          }}
        </For>
      </div>
    </div>
  );
}
