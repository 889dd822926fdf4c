import { createEffect, createMemo, createSignal, For, on, onMount } from 'solid-js';
import { afterPaint } from '../../../shell/afterPaint.ts';
import type { Token } from '../code/tokens.ts';
import { tokensOfFile } from '../code/fileTokens.ts';
import type { DiffFile, DiffLine } from '../diff/diffFile.ts';
import { type Block, blocksOf, GAP_PX, type Slab } from './blocks.ts';
import { FileHead } from './FileHead.tsx';
import type { FilesReview } from './fileReview.ts';
import type { FilesView } from './filesView.ts';
import { LineRows } from './LineRows.tsx';
import { type Drawn, useBlocks } from './useBlocks.ts';
import { useSeenPart } from './useSeenPart.ts';

/** Px above and below the window that are drawn as well, once the window is painted. */
const MARGIN_PX = 500;

/** What scrolls around an element: a box with a scroll bar, or the page. */
function scrollerOf(element: HTMLElement): Element {
  for (let box = element.parentElement; box; box = box.parentElement)
    if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight)
      return box;
  return document.documentElement;
}

/** The files of a diff. Only what is near the window is drawn, however many they are. */
export function FileList(props: { view: FilesView; review: FilesReview | null }) {
  let box: HTMLDivElement | undefined;
  let mark: HTMLDivElement | undefined;
  const { view } = props;
  const painted = afterPaint();
  const { seen, width } = useSeenPart(() => box);
  const blocks = createMemo(() => blocksOf(view.files(), view.isOpen, view.split()));
  const pinned = createMemo(() => {
    const at = view.cursor();
    return at ? view.slabOf(at) : undefined;
  });
  const layout = useBlocks({
    blocks,
    seen,
    width,
    margin: () => (painted() ? MARGIN_PX : 0),
    isPinned: (block) => block.kind === 'slab' && block.slab === pinned(),
    shift: (px) => box && scrollerOf(box).scrollBy({ top: px, behavior: 'instant' }),
  });
  const places = createMemo(() => new Map(layout.drawn().map((one) => [one.file, one])));
  const files = createMemo(() => layout.drawn().map(({ file }) => file));

  // Whatever is drawn is measured: when it appears, and when it changes.
  const measured = new Map<Element, Block>();
  const sizes = new ResizeObserver((entries) =>
    layout.measure(
      entries.flatMap(({ target }) => {
        const block = measured.get(target);
        return block && target instanceof HTMLElement && target.isConnected
          ? [[block, heightOf(block, target)]]
          : [];
      }),
    ),
  );
  const watch = (element: HTMLElement, block: Block) => {
    measured.set(element, block);
    sizes.observe(element);
  };
  const heightOf = (block: Block, element: HTMLElement): number =>
    block.kind === 'slab'
      ? element.offsetHeight
      : [...(element.parentElement?.children ?? [])].reduce(
          (sum, part) =>
            part instanceof HTMLElement && part.matches('.diff-head, .diff-notes')
              ? sum + part.offsetHeight
              : sum,
          GAP_PX,
        );
  const blockOf = createMemo(
    () =>
      new Map(blocks().map((block) => [block.kind === 'slab' ? block.slab : block.file, block])),
  );
  const forget = (gone: readonly Element[]) => {
    for (const element of gone) {
      sizes.unobserve(element);
      measured.delete(element);
    }
  };
  createEffect(
    on(layout.drawn, () => forget([...measured.keys()].filter((one) => !one.isConnected))),
  );

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
      <For each={files()}>
        {(file) => (
          <File
            file={file}
            place={() => places().get(file)}
            view={view}
            review={props.review}
            watchHead={(element) => {
              const block = blockOf().get(file);
              if (block) watch(element, block);
            }}
            watchSlab={(element, slab) => {
              const block = blockOf().get(slab);
              if (block) watch(element, block);
            }}
          />
        )}
      </For>
    </div>
  );
}

interface FileProps {
  file: DiffFile;
  place: () => Drawn | undefined;
  view: FilesView;
  review: FilesReview | null;
  watchHead: (element: HTMLElement) => void;
  watchSlab: (element: HTMLElement, slab: Slab) => void;
}

const NO_TOKENS: ReadonlyMap<DiffLine, Token[]> = new Map();

function File(props: FileProps) {
  const { file } = props;
  const isOpen = () => props.view.isOpen(file);
  // The text comes before its colours.
  const [tokens, setTokens] = createSignal(NO_TOKENS);
  createEffect(
    on(isOpen, (open) => {
      if (open) void tokensOfFile(file).then(setTokens);
    }),
  );
  const slabs = createMemo(() => (props.place()?.slabs ?? []).map(({ slab }) => slab));
  const topOf = (slab: Slab) => props.place()?.slabs.find((one) => one.slab === slab)?.top ?? 0;
  return (
    <section
      class="diff-file"
      aria-label={`Changes in ${file.path}`}
      style={{
        top: `${(props.place()?.top ?? 0) + GAP_PX}px`,
        height: `${(props.place()?.height ?? 0) - GAP_PX}px`,
      }}
    >
      <FileHead
        file={file}
        view={props.view}
        review={props.review}
        head={(element) => props.watchHead(element)}
        notes={(element) => props.watchHead(element)}
      />
      <For each={slabs()}>
        {(slab) => (
          <div
            class="slab"
            ref={(element) => props.watchSlab(element, slab)}
            style={{ top: `${topOf(slab) - GAP_PX}px` }}
          >
            <LineRows slab={slab} view={props.view} review={props.review} tokens={tokens} />
          </div>
        )}
      </For>
    </section>
  );
}
