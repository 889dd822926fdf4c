/**
 * Control characters, line ends of every kind, and those that turn the direction of writing: left
 * in, they could end a line and begin one that looks like another's, or show a text as another.
 */
const HIDDEN = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escapeHiddenCharacter = (char: string): string =>
  `\\u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** One line of others' text with each of these characters written out, such as `\u202E`. */
export const escapeHidden = (text: string): string => text.replace(HIDDEN, escapeHiddenCharacter);
