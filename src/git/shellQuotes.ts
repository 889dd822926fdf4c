/** A text as one word of a POSIX shell. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
