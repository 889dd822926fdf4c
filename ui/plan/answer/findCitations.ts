import { parseMarkedPlace } from '../../../src/base/text/parseMarkedPlace.ts';

export interface FoundCitation {
  from: number;
  ref: string;
}

/**
 * `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts#L12` and `NEW:src/b.ts`, but not within a longer path
 * or an address.
 */
const CITATION =
  /(?<![\w@.+~/:-])(?:NEW:[\w@.+~-]+(?:\/[\w@.+~-]+)*|(?:[\w@.+~-]+\/)*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,11}(?::\d{1,7}(?:-\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?))(?![\w/])/g;

/** The places of a repository that a text cites with their lines, or as new files, in order. */
export const findCitations = (text: string): FoundCitation[] =>
  [...text.matchAll(CITATION)].map((match) => ({
    from: match.index,
    ref: match[0].replace(/[.:]+$/, ''),
  }));

/** A word in code marks. */
const CODE = /(?<!`)`([^`\s]+)`(?!`)/g;

/** Places of a Markdown text whose paths have unusual characters: in code marks alone. */
export const findMarkedPlaces = (markdown: string): string[] =>
  [...markdown.matchAll(CODE)].flatMap(([, code = '']) => (parseMarkedPlace(code) ? [code] : []));
