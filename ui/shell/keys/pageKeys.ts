import { createSignal, onCleanup } from 'solid-js';
import type { KeyBinding } from './keys.ts';

type PageAction = KeyBinding<{ do: () => void }>;

const [bound, setBound] = createSignal<readonly (() => readonly PageAction[])[]>([]);

const first = new WeakSet<() => readonly PageAction[]>();
const rankBindings = (bindings: () => readonly PageAction[]): number =>
  first.has(bindings) ? 0 : 1;

/** Shortcuts of the open page; those of the part that was opened last come first. */
export const listPageKeys = (): readonly PageAction[] => bound().flatMap((bindings) => bindings());

/**
 * Binds keys while the calling component is mounted. They work outside fields and dialogs, unless
 * the person has switched single keys off; help and palette list them. `bindings` is read at each
 * key and may read signals: leave out what is not possible now. `isFirst`: these keys precede those
 * of the page's parts.
 */
export function usePageKeys(
  bindings: () => readonly PageAction[],
  { isFirst = false }: { isFirst?: boolean } = {},
): void {
  if (isFirst) first.add(bindings);
  setBound((now) => [bindings, ...now].sort((a, b) => rankBindings(a) - rankBindings(b)));
  onCleanup(() => setBound((now) => now.filter((other) => other !== bindings)));
}
