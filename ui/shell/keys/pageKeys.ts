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
 * Binds keys while the component that calls this is mounted. They work outside of fields and
 * dialogs, unless the person has switched single keys off; the help lists them, and the palette
 * offers what they do. `bindings` is
 * read at each key and may read signals: leave out what is not possible now. `isFirst`: before those
 * of its parts, whenever they are opened.
 */
export function usePageKeys(
  bindings: () => readonly PageAction[],
  { isFirst = false }: { isFirst?: boolean } = {},
): void {
  if (isFirst) first.add(bindings);
  setBound((now) => [bindings, ...now].sort((a, b) => rankBindings(a) - rankBindings(b)));
  onCleanup(() => setBound((now) => now.filter((other) => other !== bindings)));
}

/** Does what a single key of the open page does; nothing where it is not bound now. */
export function doPageKey(key: string): void {
  const bound = listPageKeys().find(({ keys }) => keys.length === 1 && keys[0] === key);
  bound?.does.do();
}
