import { formatRunnerLogLine } from './formatRunnerLogLine.ts';
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
