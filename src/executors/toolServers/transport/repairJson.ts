/** A string of JSON, or a number that JSON does not have. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:Infinity|NaN)\b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const CONTROL = /[\u0000-\u001f]/g;

const escapeControl = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON as it is written by libraries that are not strict: Python's writes NaN and Infinity, and some
 * leave tabs within strings as they are.
 */
export const repairJson = (line: string): string =>
  line.replace(STRING_OR_NUMBER, (part) =>
    part.startsWith('"') ? part.replace(CONTROL, escapeControl) : 'null',
  );
