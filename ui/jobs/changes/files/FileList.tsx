import {
  createEffect,
  createMemo,
  onMount,
  createSignal,
  on,
  onCleanup,
  For,
  type Accessor,
} from 'solid-js';
import { createPaintSignal } from '../../../shell/signals/createPaintSignal.ts';
import { createSeats } from '../../../shell/lists/createSeats.ts';
import { toLinePlace, type DiffFile, type DiffLine } from '../diff/diffFile.ts';
import { listDiffBlocks, GAP_PX, type Slab, type Block } from './diffBlocks.ts';
import { FileHead } from './FileHead.tsx';
import type { FilesReview } from './filesReview.ts';
import type { FilesView } from './filesView.ts';
import { useBlocks, type DrawnBlock } from './useBlocks.ts';
import { useSeenPart } from './useSeenPart.ts';
import { readFileTokens } from '../code/readFileTokens.ts';
import type { Token } from '../code/tokens.ts';
import { listRowLines, type DiffRow } from '../diff/diffRows.ts';
import { listLineColumns, LineRow } from './LineRow.tsx';

const NO_TOKENS: ReadonlyMap<DiffLine, Token[]> = new Map();

/** Some lines of a file, with the comments below each of them. */
function LineRows(props: {
  slab: Slab;
  /** False while these rows show nothing, and wait for other lines. */
  isUsed: boolean;
  view: FilesView;
  review: FilesReview | null;
  readTokens: (file: DiffFile) => ReadonlyMap<DiffLine, Token[]>;
  isFast: boolean;
}) {
  let table: HTMLTableElement | undefined;
  // Changes together with the rows: a row of one slab within another would be drawn twice.
  const [slab, setSlab] = createSignal(props.slab);
  // Lines that come while the page flies past have no colours until it rests; others keep theirs.
  const colouredSlab = createMemo<Slab | null>(
    (before) => (props.isFast && before !== slab() ? null : slab()),
    null,
  );
  const tokens = createMemo(() => (colouredSlab() ? props.readTokens(slab().file) : NO_TOKENS));
  const first = createMemo(() =>
    slab().index === 0
      ? slab()
          .rows.flatMap(listRowLines)
          .find((line) => toLinePlace(line) !== null)
      : undefined,
  );
  const of = { slab, tokens, findFirst: first, view: props.view, review: () => props.review };
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

/** The height of a file's head with the notes below it, px; of a slab its own. */
const measureBlock = (block: Block, element: HTMLElement): number =>
  block.kind === 'slab'
    ? element.offsetHeight
    : [...(element.parentElement?.children ?? [])].reduce(
        (sum, part) =>
          part instanceof HTMLElement && part.matches('.diff-head, .diff-notes')
            ? sum + part.offsetHeight
            : sum,
        GAP_PX,
      );

/**
 * Measures what is drawn: when it appears, and when it changes. The answer takes an element and what
 * it shows now; null = nothing.
 */
function useHeights(
  blockByItem: () => ReadonlyMap<DiffFile | Slab, Block>,
  measure: (heights: readonly (readonly [Block, number])[]) => void,
): (element: HTMLElement, shows: () => DiffFile | Slab | null) => void {
  const shownElements = new Map<Element, () => DiffFile | Slab | null>();
  const sizes = new ResizeObserver((entries) =>
    measure(
      entries.flatMap(({ target }) => {
        const what = shownElements.get(target)?.() ?? null;
        const block = what && blockByItem().get(what);
        return block && target instanceof HTMLElement && target.isConnected
          ? [[block, measureBlock(block, target)]]
          : [];
      }),
    ),
  );
  onCleanup(() => sizes.disconnect());
  return (element, shows) => {
    shownElements.set(element, shows);
    createEffect(() => {
      // Observed again for each new content: content of the same height would go unnoticed.
      sizes.unobserve(element);
      if (shows() !== null) sizes.observe(element);
    });
  };
}

const NONE: ReadonlyMap<DiffLine, Token[]> = new Map();

/** The tokens of files, found when they are first asked for: the text comes before its colours. */
function useTokens(): (file: DiffFile) => ReadonlyMap<DiffLine, Token[]> {
  const [tokensByFile, setTokensByFile] = createSignal(
    new WeakMap<DiffFile, ReadonlyMap<DiffLine, Token[]>>(),
    {
      equals: false,
    },
  );
  const requestedFiles = new WeakSet<DiffFile>();
  return (file) => {
    if (!requestedFiles.has(file)) {
      requestedFiles.add(file);
      void readFileTokens(file).then((tokens) => setTokensByFile((now) => now.set(file, tokens)));
    }
    return tokensByFile().get(file) ?? NONE;
  };
}

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
  const hasPainted = createPaintSignal();
  const { seen, width } = useSeenPart(() => box);
  const blocks = createMemo(() => listDiffBlocks(view.files(), view.isOpen, view.split()));
  const blockByItem = createMemo(
    () =>
      new Map(blocks().map((block) => [block.kind === 'slab' ? block.slab : block.file, block])),
  );
  const layout = useBlocks({
    blocks,
    getSeen: seen,
    width,
    margin: () => (hasPainted() ? MARGIN_PX : 0),
    findPinned: () => {
      const at = view.cursor();
      const slab = at && view.slabOf(at);
      return slab ? blockByItem().get(slab) : undefined;
    },
    shift: (px) => box && findScroller(box).scrollBy({ top: px, behavior: 'instant' }),
  });
  const files = createMemo(() => new Map(layout.drawn().map((one) => [one.file, one])));
  const slabs = createMemo(
    () => new Map(layout.drawn().flatMap((one) => one.slabs.map(({ slab, top }) => [slab, top]))),
  );
  const watch = useHeights(blockByItem, layout.measure);
  const readTokens = useTokens();
  const isFast = useFast(() => seen().top);

  const fileSeats = createSeats<DiffFile>((file, isUsed) => {
    // Where it was, until it has a place again.
    const place = createMemo<DrawnBlock | undefined>((before) => files().get(file()) ?? before);
    const watchElement = (element: HTMLElement) => watch(element, () => (isUsed() ? file() : null));
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
          watch={watchElement}
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
          readTokens={readTokens}
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
        const block = blockByItem().get(file);
        const top = block ? layout.findTop(block) : null;
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
