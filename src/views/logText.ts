import type { NumberedLine } from '../schema/jobLog.ts';
import { withoutColours } from '../lib/colouredText.ts';
import { escapeHidden } from '../lib/hiddenText.ts';

/** Width of the column that names who wrote a line. */
const SOURCE_WIDTH = 6;

const plain = (text: string): string => escapeHidden(withoutColours(text));

/** A line of a log as plain text, with its line feed: when, where, who, then what was written. */
export const logText = ({ at, phase, from, tag, line }: NumberedLine): string =>
  `${at} ${plain(phase)} ${from.padEnd(SOURCE_WIDTH)} | ${tag === null ? '' : `[${plain(tag)}] `}${plain(line)}\n`;
