import { capitalizeFirst } from '../../../src/base/text/capitalizeFirst.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const WARNING_LEVEL = 40;

/** A line of the runner's log with its time, for people. A line that is no JSON stays as it is. */
export function formatServiceLogLine(line: string): string {
  let entry: { level?: unknown; at?: unknown; msg?: unknown };
  try {
    entry = Object(JSON.parse(line));
  } catch {
    return `${toPrintableLine(line)}\n`;
  }
  const at = typeof entry.at === 'string' ? `${toPrintableLine(entry.at)} ` : '';
  if (Number(entry.level) >= WARNING_LEVEL) return `${at}${formatRunnerLogLine(line)}`;
  return `${at}${toPrintableLine(String(entry.msg ?? ''))}\n`;
}

/** Words for levels of pino, from the highest. */
const KINDS: readonly (readonly [least: number, kind: string])[] = [
  [50, 'Error'],
  [WARNING_LEVEL, 'Warning'],
  [30, 'Info'],
];

/**
 * A line of the runner's own log as a sentence for a person at a terminal: what happened and why,
 * without the stack. A line that is not JSON stays as it is.
 */
export function formatRunnerLogLine(line: string): string {
  let entry: { level?: unknown; msg?: unknown; err?: { message?: unknown } };
  try {
    entry = Object(JSON.parse(line));
  } catch {
    return line;
  }
  const { level, msg, err } = entry;
  const cause = typeof err?.message === 'string' && err.message !== msg ? err.message : '';
  const text = [msg, cause].filter((part) => typeof part === 'string' && part !== '').join(': ');
  const kind = KINDS.find(([least]) => Number(level) >= least)?.[1] ?? 'Debug';
  return `${kind}: ${toPrintableLine(capitalizeFirst(text))}\n`;
}
