export interface PaletteCommand {
  id: string;
  title: string;
  /** Shown behind it, and searched as well. */
  hint: string;
  group: string;
}

const WORD_START = /[\s\-_:/.#]/;

/**
 * How well `text` fits what was typed: all characters of it in their order, better at the start of
 * words and side by side; null = it does not fit. An empty search fits everything equally.
 */
export function scoreMatch(query: string, text: string): number | null {
  const needle = query.toLowerCase().replace(/\s+/g, '');
  const lowerText = text.toLowerCase();
  let total = 0;
  let at = -1;
  for (const letter of needle) {
    const next = lowerText.indexOf(letter, at + 1);
    if (next === -1) return null;
    const startsWord = next === 0 || WORD_START.test(lowerText[next - 1] ?? '');
    total += next === at + 1 && at >= 0 ? 4 : startsWord ? 3 : 1 - Math.min(next - at, 10) / 10;
    at = next;
  }
  // Of two equal matches, the shorter one is more likely meant.
  return total - text.length / 1_000;
}

/** Commands that fit, best first, at most `limit`; unsorted while nothing is typed. */
export function rankCommands<Item extends PaletteCommand>(
  query: string,
  commands: readonly Item[],
  limit: number,
): Item[] {
  if (query.trim() === '') return commands.slice(0, limit);
  return commands
    .flatMap((command) => {
      const title = scoreMatch(query, command.title);
      const hint = scoreMatch(query, command.hint);
      const best = title ?? (hint === null ? null : hint - 5);
      return best === null ? [] : [{ command, best }];
    })
    .sort((a, b) => b.best - a.best)
    .slice(0, limit)
    .map(({ command }) => command);
}
