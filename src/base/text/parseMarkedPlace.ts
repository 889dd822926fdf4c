/** A place of a repository in code marks, as it is written there. */
export interface MarkedPlace {
  path: string;
  /** First and last line, as digits. */
  from: string | undefined;
  to: string | undefined;
  isNew: boolean;
}

const PLACE =
  /^(NEW:)?([^\s`'"<>|*?\\:#]+\.[A-Za-z][A-Za-z0-9_]{0,11})(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)?$/;
/** Characters of a path that also surround paths in a sentence, or are not ASCII. */
const UNUSUAL = /[()[\]{}]|[^\x20-\x7e]/;
const BRACKET = /[()[\]{}]/;

/**
 * A place whose path only code marks tell from the text around it: brackets as in the routes of a
 * framework (`app/[id]/page.tsx:3`), letters outside ASCII. null = not a place, or a usual one,
 * which is found without marks too.
 */
export function parseMarkedPlace(code: string): MarkedPlace | null {
  const [, isNew, path, line, toLine, hash, toHash] = PLACE.exec(code) ?? [];
  if (path === undefined || !UNUSUAL.test(path)) return null;
  // Without a folder, a word with brackets is more likely a call.
  if (BRACKET.test(path) && !path.includes('/')) return null;
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  return { path, from: line ?? hash, to: toLine ?? toHash, isNew: isNew !== undefined };
}
