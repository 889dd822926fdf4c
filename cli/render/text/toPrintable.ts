/** Begins of escape sequences (CSI: colours, moves; OSC: titles, links), in 7 and 8 bits. */
const CSI = '(?:\u001B\\[|\u009B)';
const OSC = '(?:\u001B\\]|\u009D)';
const OSC_END = '(?:\u0007|\u001B\\\\|\u009C)';

const COLOUR = new RegExp(`(${'\u001B'}\\[[0-9;:]*m)`);

/** Complete sequences. Node's own stripper also takes the words behind them. */
const SEQUENCES = new RegExp(`${CSI}[0-?]*[ -/]*[@-~]|${OSC}[^\u0007\u001B\u009C]*${OSC_END}`, 'g');

/** Control characters except tab and line feed, and those that change the writing direction. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Text of others (log lines, titles, comments), made safe for a terminal: without escape sequences
 * and control characters, a log line can neither move the cursor nor pretend to be a line of svc.
 */
export const toPrintable = (text: string): string =>
  text.replace(SEQUENCES, '').replace(UNPRINTABLE, '');

/** The same on one line: line breaks and tabs become blanks. */
export const toPrintableLine = (text: string): string =>
  toPrintable(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '));

/** Text that a terminal is asked to conceal is shown. */
const CONCEALS = /\[(?:[0-9;:]*[;:])?0*8(?:[;:][0-9;:]*)?m$/;
const RESET = '\u001B[0m';

/** The same on one line, but sequences that set colours are kept. */
export function toColouredLine(text: string): string {
  let coloured = false;
  const printable = text
    .split(COLOUR)
    .map((part, index) => {
      if (index % 2 === 0) return toPrintableLine(part);
      if (CONCEALS.test(part)) return '';
      coloured = true;
      return part;
    })
    .join('');
  return coloured ? `${printable}${RESET}` : printable;
}
