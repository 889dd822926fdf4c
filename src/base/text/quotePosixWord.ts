/** A text as one word of a POSIX shell. */
export const quotePosixWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
