import type { NumberedLine } from '../schema/jobLog.ts';
import { withoutColours } from '../lib/colouredText.ts';

/** Width of the column that names who wrote a line. */
const SOURCE_WIDTH = 6;

/**
 * Control characters, line ends of every kind, and those that turn the direction of writing: left
 * in, they could end the line and begin one that looks like another's.
 */
const HIDDEN = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (char: string): string =>
  `\\u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const plain = (text: string): string => withoutColours(text).replace(HIDDEN, escaped);

/** A line of a log as plain text, with its line feed: when, where, who, then what was written. */
export const logText = ({ at, phase, from, tag, line }: NumberedLine): string =>
  `${at} ${plain(phase)} ${from.padEnd(SOURCE_WIDTH)} | ${tag === null ? '' : `[${plain(tag)}] `}${plain(line)}\n`;
