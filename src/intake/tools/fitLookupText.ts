import { MAX_LOOKUP_CHARS } from '../../shared/limits/intakeLimits.ts';
import { parseNumberedLines } from '../evidence/numberedLines.ts';
import type { LookupFinding } from './lookup.ts';

/** Of a look-up's longest answer: for the block around the text and the note of what was left out. */
const FRAME_CHARS = 2_000;
const MAX_TEXT_CHARS = MAX_LOOKUP_CHARS - FRAME_CHARS;

type FittedText = Pick<LookupFinding, 'text' | 'toLine'>;

/**
 * What the model can be shown of a text: whole lines, and a note of what was left out. `toLine` is
 * the last line that it has, so that nothing counts as seen that was not shown.
 */
export function fitLookupText({
  text,
  fromLine,
  toLine,
}: FittedText & Pick<LookupFinding, 'fromLine'>): FittedText {
  if (text.length <= MAX_TEXT_CHARS) return { text, toLine };
  const end = text.lastIndexOf('\n', MAX_TEXT_CHARS);
  const kept = text.slice(0, end > 0 ? end : MAX_TEXT_CHARS);
  const left = text.length - kept.length;
  if (fromLine === null || toLine === null)
    return { text: `${kept}\n[${left} more characters were left out: ask for less.]`, toLine };
  const last = Math.max(fromLine, ...parseNumberedLines(kept).keys());
  const next = last < toLine ? `the next line is ${last + 1}` : 'this line is too long';
  return { text: `${kept}\n[${left} more characters were left out: ${next}.]`, toLine: last };
}
