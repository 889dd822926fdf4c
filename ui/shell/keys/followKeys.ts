import type { Dashboard } from '../dashboard.ts';
import { interpretKey, SECOND_KEY_MS } from './keys.ts';
import { listShortcuts } from './listShortcuts.ts';
import { listPageKeys } from './pageKeys.ts';
import { undoNewest } from '../notices/undoNewest.ts';

/** Fields keep their keys, also an editor in a shadow tree, whose host is the target. */
const isTyping = (event: KeyboardEvent): boolean =>
  event
    .composedPath()
    .some(
      (target) =>
        target instanceof HTMLElement &&
        (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)),
    );

/** Any dialog, also one of a page: what is behind it must not move. */
const isInDialog = (): boolean => document.querySelector('dialog:modal') !== null;

const CONTROLS = 'a[href], button, summary, [role="button"], [role="option"], [role="tab"]';

const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(CONTROLS) !== null;

export function followKeys(
  dashboard: Pick<Dashboard, 'shell' | 'run' | 'team' | 'offers'>,
): () => void {
  const { shell, run } = dashboard;
  let first: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.key === 'Shift') return;
    const { singleKeys } = shell.getSnapshot().context;
    const inDialog = isInDialog();
    const { shortcut, pending } = interpretKey(event, {
      first,
      typing: isTyping(event) || inDialog,
      onControl: isOnControl(event),
      page: listPageKeys(),
      singleKeys,
      shortcuts: listShortcuts(dashboard),
    });
    clearTimeout(timer);
    first = pending;
    if (pending !== null) timer = setTimeout(() => (first = null), SECOND_KEY_MS);
    if (shortcut === null) return;
    event.preventDefault();
    // The browser reports the closing of a dialog late; until then the shell believes it open.
    const dialog = inDialog ? shell.getSnapshot().context.dialog : null;
    if ('go' in shortcut) location.hash = shortcut.go;
    else if ('do' in shortcut) shortcut.do();
    else if (shortcut.act === 'undo') undoNewest(shell, run);
    else if (shortcut.act === 'search')
      document.querySelector<HTMLElement>('[data-search]')?.focus();
    else {
      shell.trigger.closed();
      if (dialog !== shortcut.act) shell.trigger.opened({ dialog: shortcut.act });
    }
  };

  document.addEventListener('keydown', onKeyDown);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('keydown', onKeyDown);
  };
}
