import { isErrorLine, isNamedError } from './errorLine.ts';
import { shorten } from '../text/clip.ts';

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

/** Whether a line is output: the runner's own notes and an agent's thinking are not. */
const isOutput = ({ from, tag, line }: Omit<LoggedLine, 'number'>): boolean =>
  from !== 'runner' && tag !== 'thinking' && line.trim() !== '';

/** The part of a line that a terminal shows: carriage returns overwrite what came before them. */
const readShownPart = (line: string): string =>
  line
    .split('\r')
    .findLast((part) => part.trim() !== '')
    ?.trimEnd() ?? '';

/** Removes halves of characters, which a cut leaves. */
const removeHalfCharacters = (text: string): string => text.replace(/\p{Cs}/gu, '');

/**
 * The last lines of output, preceded by the first line that reports an error unless it is one of
 * them. `lines`: the newest of a log, oldest first.
 */
export function chooseLastLines(lines: readonly LoggedLine[]): ShownLine[] {
  const output = lines.filter(isOutput).slice(-ERROR_SEARCH_LINES);
  const error =
    output.find(({ from, tag, line }) => isErrorLine({ from, tag, line }) && isNamedError(line)) ??
    output.find(isErrorLine);
  const last = output.slice(-LAST_OUTPUT_LINES);
  const loggedLines = error === undefined || last.includes(error) ? last : [error, ...last];
  return loggedLines.map((one) => ({
    number: one.number,
    text: removeHalfCharacters(shorten(readShownPart(one.line), MAX_OUTPUT_LINE_CHARS)),
    ...(one === error ? { isError: true } : {}),
  }));
}

const MAX_ROW_LINE_CHARS = 200;

/** The newest line of output as a list shows it; null = no line is worth showing. `lines`: the newest first. */
export function chooseLastLine<Line extends Omit<LoggedLine, 'number'>>(
  lines: readonly Line[],
): { found: Line; text: string } | null {
  const line = lines.find(isOutput);
  const text =
    line && removeHalfCharacters(shorten(readShownPart(line.line).trim(), MAX_ROW_LINE_CHARS));
  return line === undefined || !text ? null : { found: line, text };
}

/**
 * Where an error message begins to quote a program's output; the second form is that of svc 0.2.
 */
const QUOTE = / (?:Last output|The end of its stderr):\n/;

/** A reason without the quoted output, for places that show the output beside it. */
export const removeQuotedOutput = (reason: string): string => reason.split(QUOTE, 1)[0] ?? '';
