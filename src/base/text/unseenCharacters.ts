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
