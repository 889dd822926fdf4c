import { parseShownPath, showPath } from '../base/text/pathNames.ts';

/*
 * A raw path is the bytes of a path, one character each: what git prints with `-z`, read as Latin-1.
 * It can be a key, and leads back to exactly these bytes.
 */

export const splitFields = (output: string): string[] => {
  const fields = output.split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
};

export const toRawPathBytes = (raw: string): Buffer => Buffer.from(raw, 'latin1');

export const showRawPath = (raw: string): string => showPath(toRawPathBytes(raw));

/** The raw path that a text names, also one that {@link showRawPath} has quoted. */
export const parseRawPath = (shownPath: string): string =>
  Buffer.from(parseShownPath(shownPath)).toString('latin1');
