import { parseMarkedPlace } from '../../base/text/parseMarkedPlace.ts';

export interface Reference {
  /** As written, without quotes: `src/a.ts:12-20`, `NEW:src/b.ts`. */
  ref: string;
  /** From the root of the repository. */
  path: string;
  /** First line, from 1; null = the whole file. */
  line: number | null;
  /** Last line; null = only `line`. */
  toLine: number | null;
  /** The text says that it does not exist yet. */
  isNew: boolean;
}

/** Most places of one text; further ones are not checked. */
export const MAX_REFERENCES = 500;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Words that could hold a path, without the spaces, quotes and brackets around one. */
const WORD = /[^\s`'"<>()[\]{}|,;*]+/g;
/** A word in code marks. */
const CODE = /(?<!`)`([^`\s]+)`(?!`)/g;
/** The rest of a path with brackets in it, which is not a citation of its own. */
const BRACKET_END = /[)\]}]/;
const PATH = /^(?:[\w@.+~-]+\/)*[\w@.+~-]+$/;
const EXTENSION = /\.[A-Za-z][A-Za-z0-9_]{0,11}$/;
const NUMBERED = /^(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/;
/** Endings of web hosts that could be taken for file names. */
const HOST_ENDING = /\.(?:com|org|net|io|dev|app|ai|local|invalid|example)$/i;

const parseLineNumber = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

/** A path within the repository that does not look like a host. */
function parseRepositoryPath(text: string): string | null {
  const path = text.replace(/^\.\//, '');
  const parts = path.split('/');
  if (!PATH.test(path) || parts.includes('..') || parts.includes('.')) return null;
  if (parts.length === 1 && HOST_ENDING.test(path)) return null;
  return path;
}

const buildReference = (
  ref: string,
  path: string,
  [from, to]: readonly (string | undefined)[],
  isNew: boolean,
): Reference => {
  const line = parseLineNumber(from);
  const toLine = parseLineNumber(to);
  return {
    ref,
    path,
    line,
    toLine: toLine !== null && toLine > (line ?? 0) ? toLine : null,
    isNew,
  };
};

function parseReferenceWord(word: string, quoted: boolean): Reference | null {
  const ref = word.replace(/[.:!?]+$/, '');
  const isNew = ref.startsWith('NEW:');
  const rest = isNew ? ref.slice('NEW:'.length) : ref;
  const [, before, line1, line2, hash1, hash2] = NUMBERED.exec(rest) ?? [];
  const path = parseRepositoryPath(before ?? rest);
  if (path === null) return null;
  const reference = buildReference(ref, path, [line1 ?? hash1, line2 ?? hash2], isNew);
  const isFile = EXTENSION.test(path);
  // Without a line, only text in code marks that can be nothing else is a citation.
  const isSure =
    reference.line === null ? quoted && isFile && path.includes('/') : isFile || path.includes('/');
  return isNew || isSure ? reference : null;
}

/** The places in a line, with their positions. */
function findLineReferences(line: string): [number, Reference][] {
  const places: [number, Reference][] = [];
  const rest = line.replace(CODE, (whole, word: string, index: number) => {
    const place = parseMarkedPlace(word);
    if (place === null) return whole;
    places.push([index, buildReference(word, place.path, [place.from, place.to], place.isNew)]);
    return ' '.repeat(whole.length);
  });
  for (const match of rest.matchAll(WORD)) {
    const [word] = match;
    const before = rest[match.index - 1] ?? '';
    if (word.includes('://') || (word.startsWith('.') && BRACKET_END.test(before))) continue;
    const quoted = before === '`' && rest[match.index + word.length] === '`';
    const one = parseReferenceWord(word, quoted);
    if (one) places.push([match.index, one]);
  }
  return places.sort(([one], [other]) => one - other);
}

/** Lines outside fenced code, where commands and output quote places that no one cites. */
function* listProseLines(text: string): Generator<string> {
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
      continue;
    }
    if (mark === null) yield line;
    else fence = mark;
  }
}

/**
 * The places that a Markdown text cites, without duplicates, in order: `path:line`, `path:from-to`,
 * `path#L12`, a path in code marks, `NEW:path` for a new file. A path with brackets or non-ASCII
 * letters needs code marks. URLs and fenced code are ignored.
 */
export function findReferences(markdown: string): Reference[] {
  const references = new Map<string, Reference>();
  for (const line of listProseLines(markdown)) {
    for (const [, reference] of findLineReferences(line)) {
      if (!references.has(reference.ref)) references.set(reference.ref, reference);
      if (references.size >= MAX_REFERENCES) return [...references.values()];
    }
  }
  return [...references.values()];
}
