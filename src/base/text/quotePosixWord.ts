/** A text as one word of a POSIX shell. */

/** One word of a POSIX shell's command line as a person types it: in quotes only where it needs them. */
export const quoteCommandWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : quotePosixWord(word);

/** A text as one word of a POSIX shell. */
export const quotePosixWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
