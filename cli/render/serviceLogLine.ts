import { logLine } from './logLine.ts';
import { printableLine } from './printable.ts';

/** Level of pino from which a line is a warning. */
const WARNING_LEVEL = 40;

/** A line of the runner's log with its time, for people. A line that is no JSON stays as it is. */
export function serviceLogLine(line: string): string {
  let entry: { level?: unknown; at?: unknown; msg?: unknown };
  try {
    entry = Object(JSON.parse(line));
  } catch {
    return `${printableLine(line)}\n`;
  }
  const at = typeof entry.at === 'string' ? `${printableLine(entry.at)} ` : '';
  if (Number(entry.level) >= WARNING_LEVEL) return `${at}${logLine(line)}`;
  return `${at}${printableLine(String(entry.msg ?? ''))}\n`;
}
