import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import type { Citation } from '../../src/contract/schema/planning/evidence.ts';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { paintVerdicts } from './answer/citationVerdicts.ts';
import type { ConversationView } from './conversation.ts';

/** The citations on a page: what is known of them, and the one whose file is open. */
export function useCitations(
  { shown }: ConversationView,
  verdicts: () => ReadonlyMap<string, Citation>,
) {
  const [openRef, setOpenRef] = createSignal<string | null>(null);
  const [place, setPlace] = createSignal<HTMLElement | null>(null);
  const refs = createMemo(() => shown.investigation?.citations.map(({ ref }) => ref) ?? []);
  let returnTo: HTMLElement | null = null;

  const open = (ref: string) => {
    if (openRef() === null && document.activeElement instanceof HTMLElement)
      returnTo = document.activeElement;
    setOpenRef(ref);
  };
  const close = () => {
    setOpenRef(null);
    returnTo?.focus({ preventScroll: true });
    returnTo = null;
  };
  const move = (by: 1 | -1) => {
    const all = refs();
    if (all.length === 0) return;
    const at = all.indexOf(openRef() ?? '');
    const next = at < 0 ? (by === 1 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
    open(all[next] ?? '');
  };
  /** Citations are drawn with the text that they are in: one listener hears the clicks on all. */
  const onClick = ({ target }: MouseEvent) => {
    const chip = target instanceof Element ? target.closest<HTMLElement>('button.cite') : null;
    const ref = chip?.dataset['ref'];
    if (ref) open(ref);
  };
  createEffect(() => {
    const root = place();
    if (!root) return;
    const paint = () => paintVerdicts(root, verdicts());
    createEffect(on(verdicts, paint));
    // Each drawing of a text may bring new ones.
    const observer = new MutationObserver(paint);
    observer.observe(root, { childList: true, subtree: true });
    root.addEventListener('click', onClick);
    onCleanup(() => {
      observer.disconnect();
      root.removeEventListener('click', onClick);
    });
  });
  usePageKeys(() =>
    refs().length === 0
      ? []
      : [
          { keys: [']'], says: 'Next citation', does: { do: () => move(1) } },
          { keys: ['['], says: 'Previous citation', does: { do: () => move(-1) } },
        ],
  );
  return {
    openRef,
    /** Which of the findings' citations is open; null = none of them. */
    at: () => {
      const n = refs().indexOf(openRef() ?? '');
      return n < 0 ? null : { n: n + 1, of: refs().length };
    },
    move,
    close,
    /** Where the citations are. */
    place: setPlace,
  };
}
