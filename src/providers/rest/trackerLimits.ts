import { clip } from '../../shared/text/clip.ts';

/** Longest text of an issue or a comment that is handed on, characters. */
const MAX_BODY_CHARS = 32_000;
/** Most comments of an issue that are handed on, the newest ones. */
export const MAX_COMMENTS = 200;
/** Most issues of a search. */
export const MAX_FOUND = 50;

/** The text of an issue or a comment, cut where it is too long. */
export const cutIssueText = (text: string): string =>
  clip(text, MAX_BODY_CHARS, (left) => `\n… (${left} more characters are left out)`);
