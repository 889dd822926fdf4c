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
import { computeOffsets, type Offsets, findVisibleRange } from '../../shell/lists/virtualRange.ts';
import { runOnChange } from '../../shell/signals/runOnChange.ts';

export interface LogListControl {
  /** Brings a row into view, unless it is visible; the list follows its end no longer. */
  show(index: number): void;
  /** Goes to the end and follows it from then on. */
  toEnd(): void;
}

interface LogListProps<Item> {
  /** A row that stays is the same object. */
  items: readonly Item[];
  /** Height of a row in px before it was drawn; `letters`: how many fit on a line. */
  estimate: (item: Item, letters: number) => number;
  row: (item: Item, letters: () => number) => JSX.Element;
  /** Whether the end moves: then a list at its end follows it. */
  live: boolean;
  /** Called when the list begins or ceases to follow its end. */
  onFollow: (following: boolean) => void;
  control: (control: LogListControl) => void;
}

/** Px above and below what is seen that are drawn as well. */
const MARGIN_PX = 400;
/** A list that is this near to its end, px, follows it. */
const AT_END_PX = 24;
/** Px of a row beside its text: number, time, source, paddings. */
const BESIDE_TEXT_PX = 232;
const BESIDE_TEXT_NARROW_PX = 88;
const NARROW_PX = 720;

/**
 * Draws the visible part of a log. What is read stays where it is while rows come before or after
 * it; a list at its end follows it until the user scrolls up.
 */
export function LogList<Item extends object>(props: LogListProps<Item>) {
  let box: HTMLDivElement | undefined;
  let ruler: HTMLSpanElement | undefined;
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(800);
  const [letters, setLetters] = createSignal(90);
  const [heightsByItem, setHeightsByItem] = createSignal(new WeakMap<Item, number>(), {
    equals: false,
  });
  let following = true;
  /** The row at the top of the view, and how far it is scrolled out, px. */
  let anchor: { item: Item; hidden: number } | null = null;
  /** A scroll by this code does not mean that the user stops following. */
  let ours = false;

  const offsets = createMemo<Offsets>(() => {
    const heights = heightsByItem();
    const { estimate } = props;
    const fit = letters();
    return computeOffsets(props.items, (item) => heights.get(item) ?? estimate(item, fit));
  });
  const range = createMemo(() =>
    findVisibleRange(offsets(), top() - MARGIN_PX, top() + height() + MARGIN_PX),
  );
  const drawnItems = createMemo(() => props.items.slice(range().from, range().to));

  const follow = (now: boolean) => {
    if (now === following) return;
    following = now;
    props.onFollow(now);
  };
  const scrollTo = (px: number) => {
    if (!box || Math.abs(box.scrollTop - px) < 1) return;
    ours = true;
    box.scrollTop = px;
    setTop(box.scrollTop);
  };
  const keepAnchor = () => {
    if (!box) return;
    const { starts } = offsets();
    const index = findVisibleRange(offsets(), box.scrollTop, box.scrollTop).from;
    const item = props.items[index];
    anchor = item ? { item, hidden: box.scrollTop - (starts[index] ?? 0) } : null;
  };
  /** After rows have changed or were measured: keeps the end, or what was being read, in place. */
  const settle = ({ starts, total }: Offsets) => {
    if (!box) return;
    if (following) return scrollTo(Math.max(0, total - box.clientHeight));
    if (!anchor) return;
    const index = props.items.indexOf(anchor.item);
    if (index >= 0) scrollTo((starts[index] ?? 0) + anchor.hidden);
  };

  function measure(): void {
    const heights = heightsByItem();
    let differs = false;
    for (const row of box?.querySelectorAll<HTMLElement>(':scope > div > [data-index]') ?? []) {
      const item = props.items[Number(row.dataset['index'])];
      if (!item || row.offsetHeight === 0 || heights.get(item) === row.offsetHeight) continue;
      const expected = heights.get(item) ?? props.estimate(item, letters());
      differs ||= Math.abs(expected - row.offsetHeight) > 0.5;
      heights.set(item, row.offsetHeight);
    }
    if (differs) setHeightsByItem(heights);
  }

  onMount(() => {
    if (!box) return;
    let width = 0;
    const observer = new ResizeObserver(() => {
      if (!box || !ruler) return;
      setHeight(box.clientHeight);
      settle(offsets());
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      const beside = window.innerWidth <= NARROW_PX ? BESIDE_TEXT_NARROW_PX : BESIDE_TEXT_PX;
      const letter = ruler.getBoundingClientRect().width / 10 || 7;
      setLetters(Math.max(10, Math.floor((width - beside) / letter)));
      // Another width breaks lines at other places: what was measured counts no more.
      setHeightsByItem(new WeakMap());
    });
    observer.observe(box);
    onCleanup(() => observer.disconnect());
    props.control({
      show(index) {
        if (!box) return;
        follow(false);
        const start = offsets().starts[index] ?? 0;
        const isVisible = start >= box.scrollTop && start < box.scrollTop + box.clientHeight - 60;
        if (!isVisible) scrollTo(Math.max(0, start - box.clientHeight / 3));
        keepAnchor();
      },
      toEnd() {
        follow(true);
        settle(offsets());
      },
    });
  });
  createEffect(on(drawnItems, () => requestAnimationFrame(measure)));
  createEffect(on(offsets, settle));
  runOnChange(
    () => props.live,
    (live) => !live && follow(false),
    { defer: true },
  );

  const onScroll = () => {
    if (!box) return;
    setTop(box.scrollTop);
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX;
    if (!ours || atEnd) follow(atEnd && props.live);
    ours = false;
    keepAnchor();
  };

  return (
    // In the tab order: a box that scrolls must be reachable by keyboard.
    <div
      ref={box}
      class="virtual log"
      role="log"
      aria-label="Log lines"
      tabindex="0"
      onScroll={onScroll}
    >
      <span class="ruler" aria-hidden="true" ref={ruler}>
        0000000000
      </span>
      <div role="presentation" style={{ height: `${offsets().total}px` }}>
        <For each={drawnItems()}>
          {(item, index) => {
            const at = () => range().from + index();
            return (
              <div
                data-index={at()}
                style={{ transform: `translateY(${offsets().starts[at()] ?? 0}px)` }}
              >
                {props.row(item, letters)}
              </div>
            );
          }}
        </For>
      </div>
    </div>
  );
}
