/** The text, or its start and an ellipsis: at most `most` characters, the ellipsis included. */

/** The text on one line: each run of white space, line ends included, is one space; none at the ends. */
export const joinIntoOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The text, or its start and an ellipsis: at most `most` characters, the ellipsis included. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

const noteCutCharacters = (remaining: number): string => `… (${remaining} more characters)`;

/**
 * The text, or its first `most` characters and then what `ending` says of the characters `remaining`
 * out. The ending comes on top of `most`. Default: `… (7 more characters)`.
 */
export const clip = (
  text: string,
  most: number,
  ending: (remaining: number) => string = noteCutCharacters,
): string => (text.length <= most ? text : `${text.slice(0, most)}${ending(text.length - most)}`);
