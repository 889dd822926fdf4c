import { shorten } from '../../../base/text/clip.ts';
import { flattenUntrustedText } from '../../../../machines/index.ts';

/** Bytes per token: text or code always has more. */
export const BYTES_A_TOKEN = 3;

const MAX_LINE_CHARS = 200;

export interface Section {
  lines: string[];
  truncated: boolean;
}

/** Printable ASCII words with single spaces: already one visible line. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const isPlainLine = (text: string): boolean => PLAIN.test(text) && !text.includes('<!--');

/** A single line whose text cannot end it and is all visible. */
export const toDigestLine = (text: string): string =>
  shorten(isPlainLine(text) ? text : flattenUntrustedText(text), MAX_LINE_CHARS);

/** Length as a JSON string with its comma. */
const countLineBytes = (line: string): number => Buffer.byteLength(JSON.stringify(line)) + 1;

export function takeFirstLines(lines: readonly string[], tokens: number): Section {
  let remainingBytes = tokens * BYTES_A_TOKEN;
  const keptLines: string[] = [];
  for (const line of lines) {
    remainingBytes -= countLineBytes(line);
    if (remainingBytes < 0) return { lines: keptLines, truncated: true };
    keptLines.push(line);
  }
  return { lines: keptLines, truncated: false };
}

export function takeLastLines(lines: readonly string[], tokens: number): Section {
  const { lines: keptLines, truncated } = takeFirstLines(lines.toReversed(), tokens);
  return { lines: keptLines.toReversed(), truncated };
}
