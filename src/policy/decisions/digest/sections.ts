import { shorten } from '../../../shared/text/clip.ts';
import { flattenUntrustedText } from '../../../../machines/index.ts';

/** Bytes that count as one token: more than any text of prose or code has fewer of. */
export const BYTES_A_TOKEN = 3;

/** Longest line of a digest, characters. */
const MAX_LINE_CHARS = 200;

/** A section within its bound: which lines are in it, and whether some are left out. */
export interface Section {
  lines: string[];
  truncated: boolean;
}

/** Words of plain ASCII with one space between them: one line already, all of it visible. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const isPlainLine = (text: string): boolean => PLAIN.test(text) && !text.includes('<!--');

/** A line that no text inside it can end, and of which no part is invisible. */
export const toDigestLine = (text: string): string =>
  shorten(isPlainLine(text) ? text : flattenUntrustedText(text), MAX_LINE_CHARS);

/** As a JSON string with its comma. */
const countLineBytes = (line: string): number => Buffer.byteLength(JSON.stringify(line)) + 1;

/** The first lines that fit into a number of tokens. */
export function takeFirstLines(lines: readonly string[], tokens: number): Section {
  let left = tokens * BYTES_A_TOKEN;
  const kept: string[] = [];
  for (const line of lines) {
    left -= countLineBytes(line);
    if (left < 0) return { lines: kept, truncated: true };
    kept.push(line);
  }
  return { lines: kept, truncated: false };
}

/** The last lines that fit, in their order. */
export function takeLastLines(lines: readonly string[], tokens: number): Section {
  const { lines: kept, truncated } = takeFirstLines(lines.toReversed(), tokens);
  return { lines: kept.toReversed(), truncated };
}
