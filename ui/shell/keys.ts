/** A key as it was pressed. */
export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** How long `g` waits for its second key, ms. */
export const SECOND_KEY_MS = 1_200;

/** What a shortcut brings about: a page, or something of the shell. */
export type Shortcut = { go: string } | { act: 'palette' | 'help' | 'search' };

interface Listed {
  keys: readonly string[];
  says: string;
  does: Shortcut;
}

/**
 * Every shortcut, in the order in which the help shows them. Two keys are pressed one after the
 * other.
 */
export const SHORTCUTS: readonly Listed[] = [
  { keys: ['/'], says: 'Search this page', does: { act: 'search' } },
  { keys: ['?'], says: 'Show shortcuts', does: { act: 'help' } },
  { keys: ['c'], says: 'New job', does: { go: '#/new' } },
  { keys: ['g', 'i'], says: 'Go to what needs you', does: { go: '#/inbox' } },
  { keys: ['g', 'j'], says: 'Go to jobs', does: { go: '#/' } },
  { keys: ['g', 'b'], says: 'Go to the board', does: { go: '#/board' } },
  { keys: ['g', 'w'], says: 'Go to workflows', does: { go: '#/workflows' } },
  { keys: ['g', 'm'], says: 'Go to machines', does: { go: '#/machines' } },
];

const same = (listed: readonly string[], pressed: readonly string[]): boolean =>
  listed.length === pressed.length && listed.every((key, index) => key === pressed[index]);

/**
 * What a key means. `typing`: it was pressed in a field, which keeps it; `first`: the key before,
 * where it waits for a second. `pending` in the answer is that key.
 */
export function meaningOf(
  pressed: Pressed,
  { first, typing, singleKeys }: { first: string | null; typing: boolean; singleKeys: boolean },
): { shortcut: Shortcut | null; pending: string | null } {
  const nothing = { shortcut: null, pending: null };
  const { key } = pressed;
  if ((pressed.ctrlKey || pressed.metaKey) && key.toLowerCase() === 'k')
    return { ...nothing, shortcut: { act: 'palette' } };
  if (typing || !singleKeys || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return nothing;
  const keys = first === null ? [key] : [first, key];
  const found = SHORTCUTS.find((listed) => same(listed.keys, keys));
  if (found) return { ...nothing, shortcut: found.does };
  const begins = SHORTCUTS.some((listed) => listed.keys.length > 1 && listed.keys[0] === key);
  return begins ? { ...nothing, pending: key } : nothing;
}
