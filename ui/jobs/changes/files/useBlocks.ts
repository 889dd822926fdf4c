import { createMemo, createSignal } from 'solid-js';
import {
  type Offsets,
  computeOffsets,
  findVisibleRange,
} from '../../../shell/lists/virtualRange.ts';
import type { DiffFile } from '../diff/diffFile.ts';
import { type Block, guessBlockHeight, type Slab } from './diffBlocks.ts';
import type { SeenPart } from './useSeenPart.ts';

/** Width of a character of code, px, and of what is beside the code, for guesses only. */
const CHARACTER_PX = 7.3;
const BESIDE_PX = 130;

/** A file of which something is drawn: where it is, and which slabs. */
export interface DrawnBlock {
  file: DiffFile;
  top: number;
  height: number;
  /** With their places, px from the top of the file. */
  slabs: { slab: Slab; top: number }[];
}

interface UseBlocksOptions {
  blocks: () => readonly Block[];
  getSeen: () => SeenPart;
  width: () => number;
  /** Px above and below the window that are drawn as well. */
  margin: () => number;
  /** Drawn though out of sight: the focus, or a text that is being written, is in it. */
  findPinned: () => Block | undefined;
  /** Moves what is scrolled by some px, since something above has another height than guessed. */
  shift: (px: number) => void;
}

/** Which blocks of a long list are drawn, and where. Heights are guessed, then measured. */
export function useBlocks({ blocks, getSeen, width, margin, findPinned, shift }: UseBlocksOptions) {
  const [heightsByBlock, setHeightsByBlock] = createSignal(new WeakMap<Block, number>(), {
    equals: false,
  });
  const offsets = createMemo<Offsets>(() => {
    const columns = (width() - BESIDE_PX) / CHARACTER_PX;
    const heights = heightsByBlock();
    return computeOffsets(
      blocks(),
      (block) => heights.get(block) ?? guessBlockHeight(block, columns),
    );
  });
  const range = createMemo(
    () => findVisibleRange(offsets(), getSeen().top - margin(), getSeen().bottom + margin()),
    undefined,
    { equals: (one, other) => one.from === other.from && one.to === other.to },
  );
  /** Of each block its own place, and those of its file's head and of the next file's. */
  const order = createMemo(() => {
    const all = blocks();
    const places = new Map(all.map((block, index) => [block, index]));
    const heads = new Int32Array(all.length);
    const nextHeads = new Int32Array(all.length).fill(all.length);
    for (let at = 1; at < all.length; at++)
      heads[at] = all[at]?.kind === 'head' ? at : (heads[at - 1] ?? 0);
    for (let at = all.length - 2; at >= 0; at--)
      nextHeads[at] = all[at + 1]?.kind === 'head' ? at + 1 : (nextHeads[at + 1] ?? all.length);
    return { places, heads, nextHeads };
  });

  const drawnBlocks = createMemo<DrawnBlock[]>(() => {
    const { from, to } = range();
    const { starts, total } = offsets();
    const { places, heads, nextHeads } = order();
    const all = blocks();
    const blocksByFile = new Map<DiffFile, DrawnBlock>();
    const add = (index: number) => {
      const block = all[index];
      if (!block) return;
      const top = starts[heads[index] ?? 0] ?? 0;
      const height = (starts[nextHeads[index] ?? all.length] ?? total) - top;
      const file = blocksByFile.get(block.file) ?? { file: block.file, top, height, slabs: [] };
      blocksByFile.set(block.file, file);
      if (block.kind === 'slab')
        file.slabs.push({ slab: block.slab, top: (starts[index] ?? 0) - top });
    };
    const pinnedBlock = findPinned();
    const keptAt = (pinnedBlock && places.get(pinnedBlock)) ?? null;
    if (keptAt !== null && keptAt < from) add(keptAt);
    for (let index = from; index < to; index++) add(index);
    if (keptAt !== null && keptAt >= to) add(keptAt);
    return [...blocksByFile.values()];
  });

  return {
    drawn: drawnBlocks,
    total: () => offsets().total,
    /** Px from the top of the list; null for a block that is not in it. */
    findTop(block: Block): number | null {
      const index = order().places.get(block);
      return index === undefined ? null : (offsets().starts[index] ?? 0);
    },
    fileAt(px: number): DiffFile | null {
      const { from } = findVisibleRange(offsets(), px, px);
      return blocks()[from]?.file ?? null;
    },
    /** Takes the true heights of blocks that are drawn. */
    measure(heights: readonly (readonly [Block, number])[]): void {
      const knownHeights = heightsByBlock();
      const different = heights.filter(
        ([block, height]) => height > 0 && knownHeights.get(block) !== height,
      );
      if (different.length === 0) return;
      // What the reader looks at stays where it is.
      const before = offsets().starts;
      const anchor = findVisibleRange(offsets(), getSeen().top, getSeen().top).from;
      for (const [block, height] of different) knownHeights.set(block, height);
      setHeightsByBlock(knownHeights);
      const movedBy = (offsets().starts[anchor] ?? 0) - (before[anchor] ?? 0);
      if (getSeen().top > 0 && movedBy !== 0) shift(movedBy);
    },
  };
}
