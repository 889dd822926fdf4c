import { stripVTControlCharacters } from 'node:util';

/** C0 and C1 control characters except tab and line feed, and the characters that turn the direction of writing. */
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Text of others (log lines, titles, comments), made safe for a terminal: escape sequences and control characters are
 * taken out, so that a log line can neither move the cursor nor pretend to be a line of ours.
 */
export const printable = (text: string): string => stripVTControlCharacters(text).replace(UNPRINTABLE, '');

/** The same on one line: line breaks and tabs become blanks. */
export const printableLine = (text: string): string => printable(text.replace(/[\r\n\t]+/g, ' '));
