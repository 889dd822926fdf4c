import type { NumberedLine } from '../../../contract/schema/job/jobLog.ts';
import { removeColours } from '../../../shared/output/colouredText.ts';
import { escapeHidden } from '../../../shared/text/escapeHidden.ts';

/** Width of the column that names who wrote a line. */
const SOURCE_WIDTH = 6;

const toPlainLogText = (text: string): string => escapeHidden(removeColours(text));

/** A line of a log as plain text, with its line feed: when, where, who, then what was written. */
export const formatLogText = ({ at, phase, from, tag, line }: NumberedLine): string =>
  `${at} ${toPlainLogText(phase)} ${from.padEnd(SOURCE_WIDTH)} | ${tag === null ? '' : `[${toPlainLogText(tag)}] `}${toPlainLogText(line)}\n`;
