import { capitalizeFirst } from '../../../src/base/text/capitalizeFirst.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const ERROR_LEVEL = 50;

/**
 * A line of the runner's own log as a sentence for a person at a terminal: what happened and why,
 * without the stack. A line that is no JSON stays as it is.
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
  const kind = Number(level) >= ERROR_LEVEL ? 'Error' : 'Warning';
  return `${kind}: ${toPrintableLine(capitalizeFirst(text))}\n`;
}
