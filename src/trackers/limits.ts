/** Longest text of an issue or a comment that is handed on, characters. */
const MAX_BODY_CHARS = 32_000;
/** Most comments of an issue that are handed on, the newest ones. */
export const MAX_COMMENTS = 200;
/** Most issues of a search. */
export const MAX_FOUND = 50;

/** A text with at most so many characters; what is left out is said. */
export const cut = (text: string, most = MAX_BODY_CHARS): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n… (${text.length - most} more characters are left out)`;
