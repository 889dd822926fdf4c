import type { LogLine } from './logWindow.ts';
import { toVisibleLine } from './terminalText.ts';

export interface LogFilter {
  /** Only lines with one of these tags, as `findLineTag` writes them; empty = all. */
  tags: ReadonlySet<string>;
  /** Only lines of one source; null = all. */
  from: LogLine['from'] | null;
  phase: string | null;
}

export const EVERYTHING: LogFilter = { tags: new Set(), from: null, phase: null };

/**
 * The tag of a line and who gave it, because an agent may give its lines any tag; null = none. Tags
 * within the text of a line do not count.
 */
export const findLineTag = ({ from, tag }: LogLine): string | null =>
  tag === null ? null : from === 'runner' ? tag : `${from}: ${tag}`;

export const isFiltered = ({ tags, from, phase }: LogFilter): boolean =>
  tags.size > 0 || from !== null || phase !== null;

export const filterLogLines = (log: readonly LogLine[], filter: LogFilter): readonly LogLine[] => {
  const { tags, from, phase } = filter;
  return isFiltered(filter)
    ? log.filter(
        (line) =>
          (tags.size === 0 || tags.has(findLineTag(line) ?? '')) &&
          (from === null || line.from === from) &&
          (phase === null || line.phase === phase),
      )
    : log;
};

/** Tags of the log with how many lines each has, the most frequent first. */
export function countLineTags(log: readonly LogLine[]): [tag: string, lines: number][] {
  const counts = new Map<string, number>();
  for (const line of log) {
    const tag = findLineTag(line);
    if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** What a search reads of a line, kept: it reads all lines again at every key. */
const textCache = new WeakMap<LogLine, string>();

function readSearchText(line: LogLine): string {
  const text = textCache.get(line) ?? toVisibleLine(line.line).toLowerCase();
  textCache.set(line, text);
  return text;
}

/** Numbers of the lines that show the searched text, without regard to case. */
export function findLines(log: readonly LogLine[], search: string): number[] {
  if (search === '') return [];
  const needle = search.toLowerCase();
  return log.filter((line) => readSearchText(line).includes(needle)).map(({ number }) => number);
}
