import type { Check } from '../doctor/check.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';

const STATUS_COLUMN = 9;
const TITLE_COLUMN = 17;

/** One line per check, followed by the fix if one is needed. */
export function doctorText(checks: readonly Check[], { color }: Pick<Io, 'color'>): string {
  const paint = { ok: color.green, warning: color.yellow, error: color.red, skipped: color.dim };
  return checks
    .map(({ status, title, detail, fix }) => {
      const line = `${paint[status](status.padEnd(STATUS_COLUMN))}${title.padEnd(TITLE_COLUMN)}${printableLine(detail)}\n`;
      return fix === null
        ? line
        : `${line}${' '.repeat(STATUS_COLUMN)}${color.bold('→')} ${printableLine(fix)}\n`;
    })
    .join('');
}
