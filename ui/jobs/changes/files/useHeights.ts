import { createEffect, onCleanup } from 'solid-js';
import type { DiffFile } from '../diff/diffFile.ts';
import { type Block, GAP_PX, type Slab } from './diffBlocks.ts';

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
export function useHeights(
  blockOf: () => ReadonlyMap<DiffFile | Slab, Block>,
  measure: (heights: readonly (readonly [Block, number])[]) => void,
): (element: HTMLElement, shows: () => DiffFile | Slab | null) => void {
  const shown = new Map<Element, () => DiffFile | Slab | null>();
  const sizes = new ResizeObserver((entries) =>
    measure(
      entries.flatMap(({ target }) => {
        const what = shown.get(target)?.() ?? null;
        const block = what && blockOf().get(what);
        return block && target instanceof HTMLElement && target.isConnected
          ? [[block, measureBlock(block, target)]]
          : [];
      }),
    ),
  );
  onCleanup(() => sizes.disconnect());
  return (element, shows) => {
    shown.set(element, shows);
    createEffect(() => {
      // Observed again for each new content: content of the same height would go unnoticed.
      sizes.unobserve(element);
      if (shows() !== null) sizes.observe(element);
    });
  };
}
