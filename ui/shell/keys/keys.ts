export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** How long `g` waits for its second key, ms. */
export const SECOND_KEY_MS = 1_200;

/** What a shortcut brings about: a page, something of the shell, or something of the open page. */
export type Shortcut =
  | { go: string }
  | { act: 'palette' | 'help' | 'search' | 'undo' }
  | { do: () => void };

export interface KeyBinding<Does extends Shortcut = Shortcut> {
  /**
   * One key, or two that are pressed in sequence, as in KeyboardEvent.key. Empty = only the palette
   * offers it.
   */
  keys: readonly string[];
  says: string;
  does: Does;
}

/** Every shortcut that works on all pages, in the order in which the help shows them. */
export const SHORTCUTS: readonly KeyBinding<Exclude<Shortcut, { do: unknown }>>[] = [
  { keys: ['/'], says: 'Search this page', does: { act: 'search' } },
  { keys: ['?'], says: 'Show shortcuts', does: { act: 'help' } },
  { keys: ['z'], says: 'Undo, while a message offers it', does: { act: 'undo' } },
  { keys: ['c'], says: 'New job', does: { go: '#/new' } },
  { keys: ['g', 'i'], says: 'Go to what needs you', does: { go: '#/inbox' } },
  { keys: ['g', 'j'], says: 'Go to jobs', does: { go: '#/jobs' } },
  { keys: ['g', 'b'], says: 'Go to the board', does: { go: '#/board' } },
  { keys: ['g', 'p'], says: 'Go to plan mode', does: { go: '#/plan' } },
  { keys: ['g', 's'], says: 'Go to statistics', does: { go: '#/statistics' } },
  { keys: ['g', 'u'], says: 'Go to budgets', does: { go: '#/budgets' } },
  { keys: ['g', 'r'], says: 'Go to the report', does: { go: '#/report' } },
  { keys: ['g', 'g'], says: 'Go to guardrails', does: { go: '#/guardrails' } },
  { keys: ['g', 't'], says: 'Go to the track record of ratings', does: { go: '#/ratings' } },
  { keys: ['g', 'w'], says: 'Go to workflows', does: { go: '#/workflows' } },
  { keys: ['g', 'o'], says: 'Go to proposals', does: { go: '#/proposals' } },
  { keys: ['g', ','], says: 'Go to settings', does: { go: '#/settings' } },
  { keys: ['g', 'n'], says: 'Go to insights', does: { go: '#/insights' } },
  { keys: ['g', 'l'], says: 'Go to plugins', does: { go: '#/plugins' } },
  { keys: ['g', 'm'], says: 'Go to system charts', does: { go: '#/machines' } },
  { keys: ['g', 'y'], says: 'Go to the audit log', does: { go: '#/audit' } },
];

/** Those that a team has beside them. */
export const TEAM_SHORTCUTS: typeof SHORTCUTS = [
  { keys: ['g', 'd'], says: 'Go to waiting dispatches', does: { go: '#/dispatches' } },
  { keys: ['g', 'e'], says: 'Go to runners', does: { go: '#/runners' } },
  { keys: ['g', 'h'], says: 'Go to members', does: { go: '#/members' } },
  { keys: ['g', 'a'], says: 'Go to teams', does: { go: '#/teams' } },
];

const isSameKeys = (bound: readonly string[], pressedKeys: readonly string[]): boolean =>
  bound.length === pressedKeys.length && bound.every((key, index) => key === pressedKeys[index]);

interface KeyContext {
  /** The key before, where it waits for a second. */
  first: string | null;
  /** It was pressed in a field, which keeps it. */
  typing: boolean;
  /** The focus is on a button or a link, which keeps Enter and the space bar. */
  onControl: boolean;
  singleKeys: boolean;
  /** Shortcuts of the open page; they precede the others. */
  page: readonly KeyBinding[];
  /** Those of all pages. */
  shortcuts?: readonly KeyBinding[];
}

/** What a key means; `pending` in the answer is a key that waits for a second one. */
export function interpretKey(
  pressedKey: PressedKey,
  { first, typing, onControl, singleKeys, page, shortcuts = SHORTCUTS }: KeyContext,
): { shortcut: Shortcut | null; pending: string | null } {
  const nothing = { shortcut: null, pending: null };
  const { key } = pressedKey;
  if ((pressedKey.ctrlKey || pressedKey.metaKey) && key.toLowerCase() === 'k')
    return { ...nothing, shortcut: { act: 'palette' } };
  if (typing || !singleKeys || pressedKey.ctrlKey || pressedKey.metaKey || pressedKey.altKey)
    return nothing;
  if (onControl && (key === 'Enter' || key === ' ')) return nothing;
  const bound: readonly KeyBinding[] = [...page, ...shortcuts];
  const keys = first === null ? [key] : [first, key];
  const keyBinding = bound.find((binding) => isSameKeys(binding.keys, keys));
  if (keyBinding) return { ...nothing, shortcut: keyBinding.does };
  const begins = bound.some((binding) => binding.keys.length > 1 && binding.keys[0] === key);
  return begins ? { ...nothing, pending: key } : nothing;
}
