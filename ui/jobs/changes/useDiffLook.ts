import { createSignal, onCleanup } from 'solid-js';
import { remember, readRemembered } from '../../shell/remember.ts';

/** Below it two sides do not fit, and the files are a list that is opened. */
const NARROW = '(max-width: 960px)';

export type DiffLook = ReturnType<typeof useDiffLook>;

/** How a person wants to see changes: kept in this browser. */
export function useDiffLook() {
  const media = matchMedia(NARROW);
  const [isNarrow, setNarrow] = createSignal(media.matches);
  const follow = () => setNarrow(media.matches);
  media.addEventListener('change', follow);
  onCleanup(() => media.removeEventListener('change', follow));
  const [isSplitWanted, setIsSplitWanted] = createSignal(readRemembered('diff') === 'split');
  const [tree, setTree] = createSignal(readRemembered('diffTree') !== 'closed');
  // On a narrow window the tree covers the files, so it begins closed.
  const [narrowTree, setNarrowTree] = createSignal(false);
  return {
    isNarrow,
    split: () => isSplitWanted() && !isNarrow(),
    canSplit: () => !isNarrow(),
    setSplit(split: boolean): void {
      setIsSplitWanted(split);
      remember('diff', split ? 'split' : null);
    },
    isTreeOpen: () => (isNarrow() ? narrowTree() : tree()),
    toggleTree(): void {
      if (isNarrow()) {
        setNarrowTree(!narrowTree());
        return;
      }
      setTree(!tree());
      remember('diffTree', tree() ? null : 'closed');
    },
  };
}
