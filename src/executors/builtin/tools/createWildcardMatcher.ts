import { ToolFault } from '../agentTool.ts';

/** Most patterns that braces may expand to. */
const MAX_ALTERNATIVES = 64;
const MAX_PATTERN_CHARS = 500;

/** Expands `{a,b}`, also nested. */
function expandBraces(pattern: string): string[] {
  const braces = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (!braces) return [pattern];
  const [, before = '', inner = '', after = ''] = braces;
  const all = inner.split(',').flatMap((one) => expandBraces(`${before}${one}${after}`));
  if (all.length > MAX_ALTERNATIVES)
    throw new ToolFault('The pattern has too many alternatives in braces.');
  return all;
}

/**
 * Matches one name against `*`, `?` and plain characters. Steps back at most to the last star, so
 * that no pattern takes long.
 */
function matchesName(pattern: string, name: string): boolean {
  // Only a pattern that begins with a dot matches such a name.
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let at = 0;
  let star = -1;
  let retry = 0;
  let index = 0;
  while (index < name.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at;
      retry = index;
      at += 1;
    } else if (sign !== undefined && (sign === '?' || sign === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      index = retry;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/** Matches the names of a path; `**` stands for any number of folders. */
function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  // For each part of the pattern, the beginnings of the path that it matches.
  let states = new Set([0]);
  for (const [place, part] of pattern.entries()) {
    const next = new Set<number>();
    for (const from of states) {
      if (part === '**') {
        for (let to = from; to <= path.length; to += 1) {
          next.add(to);
          if (path[to]?.startsWith('.')) break;
        }
        if (place === pattern.length - 1) next.delete(from);
      } else if (path[from] !== undefined && matchesName(part, path[from])) next.add(from + 1);
    }
    states = next;
  }
  return states.has(path.length);
}

/**
 * Whether relative paths match a pattern of `*`, `?`, `**` and `{a,b}`. A pattern without a slash
 * is one of names in any folder.
 */
export function createWildcardMatcher(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new ToolFault(`A pattern has at most ${MAX_PATTERN_CHARS} characters.`);
  const patterns = expandBraces(pattern).map((one) => {
    const parts = one.split('/').filter((part) => part !== '' && part !== '.');
    return one.includes('/') ? parts : ['**', ...parts];
  });
  return (path) => patterns.some((parts) => matchesPath(parts, path.split('/')));
}
