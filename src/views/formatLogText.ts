import type { NumberedLine } from '../schema/jobLog.ts';
import { removeColours } from '../lib/colouredText.ts';
import { escapeHidden } from '../lib/escapeHidden.ts';

/** Width of the column that names who wrote a line. */
const SOURCE_WIDTH = 6;

const toPlainLogText = (text: string): string => escapeHidden(removeColours(text));

/** A line of a log as plain text, with its line feed: when, where, who, then what was written. */
export const formatLogText = ({ at, phase, from, tag, line }: NumberedLine): string =>
  `${at} ${toPlainLogText(phase)} ${from.padEnd(SOURCE_WIDTH)} | ${tag === null ? '' : `[${toPlainLogText(tag)}] `}${toPlainLogText(line)}\n`;
