import { isErrorLine, isNamedError } from './errorLine.ts';
import { shorten } from '../text/clip.ts';

/** Lines that are shown where something has failed. */
export const LAST_OUTPUT_LINES = 5;
/** Longest of them, characters; the log has all of it. */
export const MAX_OUTPUT_LINE_CHARS = 300;
/** Newest lines of output among which the first one that reports an error is searched for. */
export const ERROR_SEARCH_LINES = 50;

interface LoggedLine {
  number: number;
  from: string;
  tag: string | null;
  /** Without colours. */
  line: string;
}

interface ShownLine {
  number: number;
  text: string;
  isError?: true;
}

/** Whether it is output: the runner's own notes and an agent's thinking are not. */
const isOutput = ({ from, tag, line }: Omit<LoggedLine, 'number'>): boolean =>
  from !== 'runner' && tag !== 'thinking' && line.trim() !== '';

/** What a terminal shows of a line: carriage returns overwrite what was before them. */
const readShownPart = (line: string): string =>
  line
    .split('\r')
    .findLast((part) => part.trim() !== '')
    ?.trimEnd() ?? '';

/** Without halves of characters, which a cut leaves. */
const removeHalfCharacters = (text: string): string => text.replace(/\p{Cs}/gu, '');

/**
 * The last lines of output, and before them the first line that reports an error where it is none of
 * them. `lines`: the newest of a log, oldest first.
 */
export function chooseLastLines(lines: readonly LoggedLine[]): ShownLine[] {
  const output = lines.filter(isOutput).slice(-ERROR_SEARCH_LINES);
  const error =
    output.find(({ from, tag, line }) => isErrorLine({ from, tag, line }) && isNamedError(line)) ??
    output.find(isErrorLine);
  const last = output.slice(-LAST_OUTPUT_LINES);
  const shown = error === undefined || last.includes(error) ? last : [error, ...last];
  return shown.map((one) => ({
    number: one.number,
    text: removeHalfCharacters(shorten(readShownPart(one.line), MAX_OUTPUT_LINE_CHARS)),
    ...(one === error ? { isError: true } : {}),
  }));
}

/** Longest line of output in a row of a list, characters. */
const MAX_ROW_LINE_CHARS = 200;

/** The newest line of output as a list shows it; null = no line is worth showing. `lines`: the newest first. */
export function chooseLastLine<Line extends Omit<LoggedLine, 'number'>>(
  lines: readonly Line[],
): { found: Line; text: string } | null {
  const found = lines.find(isOutput);
  const text =
    found && removeHalfCharacters(shorten(readShownPart(found.line).trim(), MAX_ROW_LINE_CHARS));
  return found === undefined || !text ? null : { found, text };
}

/** Where an error begins to quote what a program wrote; the second is how svc 0.2 began it. */
const QUOTE = / (?:Last output|The end of its stderr):\n/;

/** A reason without the output that it quotes, for where that is shown beside it. */
export const removeQuotedOutput = (reason: string): string => reason.split(QUOTE, 1)[0] ?? '';
