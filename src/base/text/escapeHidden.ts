/**
 * Control characters, line ends of every kind, and those that turn the direction of writing: left
 * in, they could end a line and begin one that looks like another's, or show a text as another.
 */
import { describeCodePoint } from './codePoints.ts';

/**
 * Characters that a person does not see, or that turn what they see around: format, control,
 * fillers, selectors, tags, unassigned ones. A tab and line breaks do not count.
 */
const UNSEEN = /(?![\t\n\r])[\p{C}\p{DI}\p{Zl}\p{Zp}]|\u2800/gu;

export const listUnseenCharacters = (text: string): string[] => [...new Set(text.match(UNSEEN))];

/** The text with each of them written out: `[U+200B (zero-width space)]`. */
export const writeOutUnseen = (text: string): string =>
  text.replace(UNSEEN, (one) => `[${describeCodePoint(one)}]`);

/**
 * Control characters, line ends of every kind, and those that turn the direction of writing: left
 * in, they could end a line and begin one that looks like another's, or show a text as another.
 */
const HIDDEN = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escapeHiddenCharacter = (char: string): string =>
  `\\u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** One line of others' text with each of these characters written out, such as `\u202E`. */
export const escapeHidden = (text: string): string => text.replace(HIDDEN, escapeHiddenCharacter);
