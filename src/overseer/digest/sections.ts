import { shorten } from '../../domain/clip.ts';
import { inOneLine } from '../../../machines/index.ts';

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

const isPlain = (text: string): boolean => PLAIN.test(text) && !text.includes('<!--');

/** A line that no text inside it can end, and of which no part is invisible. */
export const lineOf = (text: string): string =>
  shorten(isPlain(text) ? text : inOneLine(text), MAX_LINE_CHARS);

/** As a JSON string with its comma. */
const bytesOf = (line: string): number => Buffer.byteLength(JSON.stringify(line)) + 1;

/** The first lines that fit into a number of tokens. */
export function firstThatFit(lines: readonly string[], tokens: number): Section {
  let left = tokens * BYTES_A_TOKEN;
  const kept: string[] = [];
  for (const line of lines) {
    left -= bytesOf(line);
    if (left < 0) return { lines: kept, truncated: true };
    kept.push(line);
  }
  return { lines: kept, truncated: false };
}

/** The last lines that fit, in their order. */
export function lastThatFit(lines: readonly string[], tokens: number): Section {
  const { lines: kept, truncated } = firstThatFit(lines.toReversed(), tokens);
  return { lines: kept.toReversed(), truncated };
}
