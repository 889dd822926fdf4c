import {
  createEffect,
  createMemo,
  onMount,
  createSignal,
  on,
  onCleanup,
  type Accessor,
} from 'solid-js';
import { createPaintSignal } from '../../../shell/signals/createPaintSignal.ts';
import { createSeats } from '../../../shell/lists/createSeats.ts';
import { useTokens } from '../code/useTokens.ts';
import type { DiffFile } from '../diff/diffFile.ts';
import { listDiffBlocks, GAP_PX, type Slab } from './diffBlocks.ts';
import { FileHead } from './FileHead.tsx';
import type { FilesReview } from './filesReview.ts';
import type { FilesView } from './filesView.ts';
import { LineRows } from './LineRows.tsx';
import { useBlocks, type DrawnBlock } from './useBlocks.ts';
import { useHeights } from './useHeights.ts';
import { useSeenPart } from './useSeenPart.ts';

/** Above this speed, px per ms, no one reads: a wheel turned by hand stays far below. */
const READABLE_PX_PER_MS = 5;
/** Two looks further apart than this are a jump, after which the reader stays, ms. */
const SAME_MOVE_MS = 100;
/** The page counts as resting once it has been slow for this long, ms. */
const REST_MS = 120;

/** Whether the page flies past, as while its scroll bar is dragged: faster than anyone can read. */
function useFast(top: Accessor<number>, now = () => performance.now()): Accessor<boolean> {
  const [isFast, setFast] = createSignal(false);
  let before = { top: top(), at: Number.NEGATIVE_INFINITY };
  let rest: ReturnType<typeof setTimeout> | undefined;
  createEffect(
    on(top, (px) => {
      const last = before;
      before = { top: px, at: now() };
      const ms = before.at - last.at;
      if (ms > SAME_MOVE_MS || Math.abs(px - last.top) <= ms * READABLE_PX_PER_MS) return;
      clearTimeout(rest);
      rest = setTimeout(() => setFast(false), REST_MS);
      setFast(true);
    }),
  );
  onCleanup(() => clearTimeout(rest));
  return isFast;
}

/** Px above and below the window that are drawn as well, once the window is painted. */
const MARGIN_PX = 500;

/** What scrolls around an element: a box with a scroll bar, or the page. */
function findScroller(element: HTMLElement): Element {
  for (let box = element.parentElement; box; box = box.parentElement)
    if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight)
      return box;
  return document.documentElement;
}

/** The files of a diff. Only what is near the window is drawn; elements are reused. */
export function FileList(props: { view: FilesView; review: FilesReview | null }) {
  let box: HTMLDivElement | undefined;
  let mark: HTMLDivElement | undefined;
  const { view } = props;
  const painted = createPaintSignal();
  const { seen, width } = useSeenPart(() => box);
  const blocks = createMemo(() => listDiffBlocks(view.files(), view.isOpen, view.split()));
  const blockOf = createMemo(
    () =>
      new Map(blocks().map((block) => [block.kind === 'slab' ? block.slab : block.file, block])),
  );
  const layout = useBlocks({
    blocks,
    seen,
    width,
    margin: () => (painted() ? MARGIN_PX : 0),
    pinned: () => {
      const at = view.cursor();
      const slab = at && view.slabOf(at);
      return slab ? blockOf().get(slab) : undefined;
    },
    shift: (px) => box && findScroller(box).scrollBy({ top: px, behavior: 'instant' }),
  });
  const files = createMemo(() => new Map(layout.drawn().map((one) => [one.file, one])));
  const slabs = createMemo(
    () => new Map(layout.drawn().flatMap((one) => one.slabs.map(({ slab, top }) => [slab, top]))),
  );
  const watch = useHeights(blockOf, layout.measure);
  const tokensOf = useTokens();
  const isFast = useFast(() => seen().top);

  const fileSeats = createSeats<DiffFile>((file, isUsed) => {
    // Where it was, until it has a place again.
    const place = createMemo<DrawnBlock | undefined>((before) => files().get(file()) ?? before);
    const watched = (element: HTMLElement) => watch(element, () => (isUsed() ? file() : null));
    return (
      <section
        class="diff-file"
        aria-label={`Changes in ${file().path}`}
        style={{
          top: `${(place()?.top ?? 0) + GAP_PX}px`,
          height: `${(place()?.height ?? 0) - GAP_PX}px`,
        }}
      >
        <FileHead
          file={file()}
          isUsed={isUsed()}
          view={view}
          review={props.review}
          watch={watched}
        />
      </section>
    );
  });
  const slabSeats = createSeats<Slab>((slab, isUsed) => {
    const top = createMemo<number>((before) => slabs().get(slab()) ?? before, 0);
    return (
      <div
        class="slab"
        ref={(element) => watch(element, () => (isUsed() ? slab() : null))}
        style={{ top: `${top() - GAP_PX}px` }}
      >
        <LineRows
          slab={slab()}
          isUsed={isUsed()}
          view={view}
          review={props.review}
          tokensOf={tokensOf}
          isFast={isFast()}
        />
      </div>
    );
  });
  createEffect(() => {
    const parent = box;
    if (!parent) return;
    fileSeats.seat([...files().keys()], () => parent);
    slabSeats.seat([...slabs().keys()], ({ file }) => fileSeats.elementOf(file) ?? parent);
  });

  onMount(() =>
    view.isList({
      show(file) {
        const block = blockOf().get(file);
        const top = block ? layout.topOf(block) : null;
        if (top === null || !mark) return;
        mark.style.top = `${top + GAP_PX}px`;
        mark.scrollIntoView({ block: 'start' });
      },
      current: () => layout.fileAt(seen().top + 2 * GAP_PX),
    }),
  );

  return (
    <div
      class="diff-files"
      ref={box}
      style={{ height: `${layout.total()}px` }}
      onWheel={view.leave}
      onTouchMove={view.leave}
    >
      <div class="file-mark" ref={mark} />
    </div>
  );
}
