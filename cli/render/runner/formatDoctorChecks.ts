import type { Check } from '../../doctor/check.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const STATUS_COLUMN = 9;
const TITLE_COLUMN = 17;

export function formatDoctorChecks(checks: readonly Check[], { color }: Pick<Io, 'color'>): string {
  const paint = { ok: color.green, warning: color.yellow, error: color.red, skipped: color.dim };
  return checks
    .map(({ status, title, detail, fix }) => {
      const line = `${paint[status](status.padEnd(STATUS_COLUMN))}${title.padEnd(TITLE_COLUMN)}${toPrintableLine(detail)}\n`;
      return fix === null
        ? line
        : `${line}${' '.repeat(STATUS_COLUMN)}${color.bold('→')} ${toPrintableLine(fix)}\n`;
    })
    .join('');
}
