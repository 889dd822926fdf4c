import { decodeUtf8OrNull } from './decodeUtf8OrNull.ts';

/*
 * Names of files in git are bytes: mostly UTF-8, but nothing promises it. People and JSON get a text;
 * what is not plain text is quoted as git does (core.quotePath), so that it leads back to the bytes.
 */

const LETTERS: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  '"': 0x22,
  '\\': 0x5c,
};
const LETTER_BY_BYTE = new Map(Object.entries(LETTERS).map(([letter, byte]) => [byte, letter]));

const escapeByte = (byte: number): string => {
  const letter = LETTER_BY_BYTE.get(byte);
  if (letter !== undefined) return `\\${letter}`;
  return byte < 0x20 || byte >= 0x7f
    ? `\\${byte.toString(8).padStart(3, '0')}`
    : String.fromCharCode(byte);
};

/** Writes no quotes, so that the text begins and ends as the path does. */
const escapeAll = (bytes: Uint8Array): string => Array.from(bytes, escapeByte).join('');

/** The name in double quotes with its bytes escaped, as git writes it: `"caf\351.txt"`. */
export const quotePath = (bytes: Uint8Array): string => `"${escapeAll(bytes)}"`;

const isPlainText = (text: string | null): text is string => text !== null && !/\p{Cc}/u.test(text);

/** A path for rules, like {@link showPath} without quotes; it does not lead back to the bytes. */
export function escapePath(bytes: Uint8Array): string {
  const text = decodeUtf8OrNull(bytes);
  return isPlainText(text) ? text : escapeAll(bytes);
}

/**
 * A path for people and JSON: as it is where it is UTF-8 without control characters, else in quotes
 * with escapes, such as `"caf\351.txt"`. Two different paths never look alike.
 */
export function showPath(bytes: Uint8Array): string {
  const text = decodeUtf8OrNull(bytes);
  return isPlainText(text) && !text.startsWith('"') ? text : quotePath(bytes);
}

/**
 * The bytes of a path that {@link showPath} or git has written; a text without quotes, or with a
 * broken escape in them, means itself.
 */
export function parseShownPath(shownPath: string): Uint8Array {
  const plain = new TextEncoder().encode(shownPath);
  if (shownPath.length < 2 || !shownPath.startsWith('"') || !shownPath.endsWith('"')) return plain;
  const bytes: number[] = [];
  for (const [whole, octal, letter] of shownPath
    .slice(1, -1)
    .matchAll(/\\([0-3][0-7]{2})|\\(.)|[^"\\]+|./gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) {
      const byte = LETTERS[letter];
      if (byte === undefined) return plain;
      bytes.push(byte);
    } else if (whole === '"' || whole === '\\') return plain;
    else bytes.push(...new TextEncoder().encode(whole));
  }
  return Uint8Array.from(bytes);
}

/** A path as a diff writes it, quoted or not, in the form of {@link showPath}. */
export const showQuoted = (name: string): string =>
  name.startsWith('"') ? showPath(parseShownPath(name)) : name;
