import { parseShownPath, showPath } from '../shared/text/pathNames.ts';

/*
 * A raw path is the bytes of a path, one character each: what git prints with `-z`, read as Latin-1.
 * It can be a key, and leads back to exactly these bytes.
 */

/** The raw paths, or other fields, of an output that ends each with a NUL. */
export const splitFields = (output: string): string[] => {
  const fields = output.split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
};

/** The bytes of a raw path. */
export const toRawPathBytes = (raw: string): Buffer => Buffer.from(raw, 'latin1');

/** A raw path as text for people and JSON. */
export const showRawPath = (raw: string): string => showPath(toRawPathBytes(raw));

/** The raw path that a text names, also one that {@link showRawPath} has quoted. */
export const parseRawPath = (shown: string): string =>
  Buffer.from(parseShownPath(shown)).toString('latin1');
