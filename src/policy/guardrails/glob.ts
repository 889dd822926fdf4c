/**
 * Matches a list with wildcards greedily: only the last wildcard is retried, so the time is at most
 * the product of both lengths.
 */
function matchesList<Part>(
  pattern: readonly Part[],
  parts: readonly Part[],
  isWild: (part: Part) => boolean,
  matches: (part: Part, one: Part) => boolean,
): boolean {
  let [at, from] = [0, 0];
  let [wild, tryFrom] = [-1, 0];
  while (from < parts.length) {
    const part = pattern[at];
    const one = parts[from] as Part;
    if (part !== undefined && isWild(part)) {
      [wild, tryFrom] = [at, from];
      at += 1;
    } else if (part !== undefined && matches(part, one)) {
      at += 1;
      from += 1;
    } else if (wild === -1) return false;
    else {
      tryFrom += 1;
      [at, from] = [wild + 1, tryFrom];
    }
  }
  return pattern.slice(at).every(isWild);
}

/** Whether a text fits a pattern; `*` stands for any characters. */
export const fitsWildcard = (pattern: string, text: string): boolean =>
  matchesList(
    [...pattern],
    [...text],
    (part) => part === '*',
    (part, one) => part === one,
  );

/**
 * Whether a path fits a pattern: `*` within a folder, `**` across folders. A pattern without a
 * slash is a name in any folder; case is ignored.
 */
export function fitsPath(pattern: string, path: string): boolean {
  const lowerPattern = pattern.toLowerCase().replace(/^\.?\//, '');
  const parts = lowerPattern.includes('/') ? lowerPattern.split('/') : ['**', lowerPattern];
  return matchesList(parts, path.toLowerCase().split('/'), (part) => part === '**', fitsWildcard);
}

/**
 * Whether a path fits one of many patterns, as in {@link fitsPath}; created once for many paths.
 * Most patterns are plain names or begin with a plain folder, and cost a look-up.
 */
export function createPathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const names = new Set<string>();
  const wildNames: string[] = [];
  const byFolder = new Map<string, string[]>();
  const others: string[] = [];
  for (const pattern of patterns) {
    const lowerPattern = pattern.toLowerCase().replace(/^\.?\//, '');
    const [folder = ''] = lowerPattern.split('/');
    if (!lowerPattern.includes('/')) {
      if (lowerPattern.includes('*')) wildNames.push(lowerPattern);
      else names.add(lowerPattern);
    } else if (folder.includes('*')) others.push(pattern);
    else byFolder.set(folder, [...(byFolder.get(folder) ?? []), pattern]);
  }
  return (path) => {
    const parts = path.toLowerCase().split('/');
    const name = parts.at(-1) ?? '';
    return (
      names.has(name) ||
      wildNames.some((pattern) => fitsWildcard(pattern, name)) ||
      [...(byFolder.get(parts[0] ?? '') ?? []), ...others].some((pattern) =>
        fitsPath(pattern, path),
      )
    );
  };
}
