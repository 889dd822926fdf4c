/**
 * Begins of escape sequences (CSI: colours and moves; OSC: titles and links) and ends of OSC, in 7
 * and 8 bits.
 */
const CSI = '(?:\u001B\\[|\u009B)';
const OSC = '(?:\u001B\\]|\u009D)';
const OSC_END = '(?:\u0007|\u001B\\\\|\u009C)';

/** A sequence that sets colours and weights. */
const COLOUR = new RegExp(`(${'\u001B'}\\[[0-9;:]*m)`);

/** Whole sequences. Node's own stripper takes words behind them with it. */
const SEQUENCES = new RegExp(`${CSI}[0-?]*[ -/]*[@-~]|${OSC}[^\u0007\u001B\u009C]*${OSC_END}`, 'g');

/**
 * Control characters except tab and line feed, and the characters that turn the direction of
 * writing.
 */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Text of others (log lines, titles, comments), made safe for a terminal: escape sequences and
 * control characters are taken out, so that a log line can neither move the cursor nor pretend to
 * be a line of ours.
 */
export const toPrintable = (text: string): string =>
  text.replace(SEQUENCES, '').replace(UNPRINTABLE, '');

/** The same on one line: line breaks and tabs become blanks. */
export const toPrintableLine = (text: string): string =>
  toPrintable(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '));

/** Text that a terminal is asked to conceal is shown. */
const CONCEALS = /\[(?:[0-9;:]*[;:])?0*8(?:[;:][0-9;:]*)?m$/;
const RESET = '\u001B[0m';

/** The same on one line, with its colours: of all sequences only those that set colours are kept. */
export function toColouredLine(text: string): string {
  let coloured = false;
  const shown = text
    .split(COLOUR)
    .map((part, index) => {
      if (index % 2 === 0) return toPrintableLine(part);
      if (CONCEALS.test(part)) return '';
      coloured = true;
      return part;
    })
    .join('');
  return coloured ? `${shown}${RESET}` : shown;
}
