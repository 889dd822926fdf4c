import type { LogLine } from '../page/jobStore.ts';

/** What of the log is shown. */
export interface LogFilter {
  /** Only lines with one of these tags; empty = all. */
  tags: ReadonlySet<string>;
  /** Only lines of one who speaks; null = all. */
  from: LogLine['from'] | null;
  phase: string | null;
}

/** A tag that an agent wrote in front of its line counts like one of the runner. */
const WRITTEN = /^\s*\[([a-z][a-z0-9-]{1,40})\]\s?/;

/** Tag of a line; null = none. */
export const tagOf = (line: LogLine): string | null =>
  line.tag ?? WRITTEN.exec(line.line)?.[1] ?? null;

/** Text of a line without its tag. */
export const textOfLine = (line: LogLine): string =>
  line.tag === null ? line.line.replace(WRITTEN, '') : line.line;

export const shownLines = (
  log: readonly LogLine[],
  { tags, from, phase }: LogFilter,
): readonly LogLine[] =>
  tags.size === 0 && from === null && phase === null
    ? log
    : log.filter(
        (line) =>
          (tags.size === 0 || tags.has(tagOf(line) ?? '')) &&
          (from === null || line.from === from) &&
          (phase === null || line.phase === phase),
      );

/** Tags of the log with how many lines each has, the most frequent first. */
export function tagsOf(log: readonly LogLine[]): [tag: string, lines: number][] {
  const counts = new Map<string, number>();
  for (const line of log) {
    const tag = tagOf(line);
    if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/**
 * Indexes of the lines that have the searched text, without regard to case; none for an empty
 * search.
 */
export function findLines(log: readonly LogLine[], search: string): number[] {
  if (search === '') return [];
  const wanted = search.toLowerCase();
  return log.flatMap(({ line }, index) => (line.toLowerCase().includes(wanted) ? [index] : []));
}
