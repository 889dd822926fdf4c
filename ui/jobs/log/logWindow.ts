import type { LogPage, NumberedLine } from '../../../src/contract/schema/job/jobLog.ts';

export type LogLine = NumberedLine;

/** Most lines of the log that the page keeps; the others are read when they are wanted. */
export const MAX_LOG_LINES = 20_000;

/** The part of a log that the page has: neighbouring lines. */
export interface LogWindow {
  lines: readonly LogLine[];
  total: number;
}

export const EMPTY_LOG: LogWindow = { lines: [], total: 0 };

export const hasEnd = ({ lines, total }: LogWindow): boolean =>
  (lines.at(-1)?.number ?? 0) === total;
/** Number of the first line that the page has; 1 of an empty log. */
export const readFirstNumber = ({ lines }: LogWindow): number => lines[0]?.number ?? 1;

const keepNewestLines = (lines: readonly LogLine[]): readonly LogLine[] =>
  lines.length > MAX_LOG_LINES ? lines.slice(-MAX_LOG_LINES) : lines;

/** New lines of the stream; a page that shows an older part only counts them. */
export function appendNewLines(
  log: LogWindow,
  lines: readonly Omit<LogLine, 'number'>[],
): LogWindow {
  const lastNumber = log.lines.at(-1)?.n ?? 0;
  const fresh = lines.filter(({ n }) => n > lastNumber);
  const numberedLines = fresh.map((line, index) => ({ ...line, number: log.total + index + 1 }));
  return {
    total: log.total + fresh.length,
    lines: hasEnd(log) ? keepNewestLines([...log.lines, ...numberedLines]) : log.lines,
  };
}

/** A page of lines: joined where it continues the part that is shown, else in its place. */
export function mergeLogPage(log: LogWindow, { lines, total }: LogPage): LogWindow {
  const knownTotal = Math.max(total, log.total);
  const [first, last] = [lines[0]?.number ?? 0, lines.at(-1)?.number ?? 0];
  if (lines.length === 0) return { ...log, total: knownTotal };
  if (last + 1 === readFirstNumber(log) && log.lines.length > 0) {
    // The end is dropped: it can be read again.
    return { total: knownTotal, lines: [...lines, ...log.lines].slice(0, MAX_LOG_LINES) };
  }
  if (first === (log.lines.at(-1)?.number ?? 0) + 1 && log.lines.length > 0)
    return { total: knownTotal, lines: keepNewestLines([...log.lines, ...lines]) };
  return { total: knownTotal, lines };
}
