import { formatCount } from '../../../src/base/text/formatCount.ts';
import type { Diagnostic } from '../../../src/contract/schema/workflow/diagnostic.ts';
import type { Io } from '../../io.ts';
import { formatExcerpt } from './formatExcerpt.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/**
 * A finding as editors and CI understand it, `file:line:column`; below it the line that it is about,
 * where `source` is the file's text, and its hint.
 */
export function formatLint(
  { file, line, column, severity, code, message, hint }: Diagnostic,
  { color, columns = 0 }: Pick<Io, 'color'> & Partial<Pick<Io, 'columns'>>,
  source: string | null = null,
): string {
  const paint = { error: color.red, warning: color.yellow, note: color.cyan }[severity];
  const first = `${toPrintableLine(file)}:${line}:${column} ${paint(severity)} ${toPrintableLine(message)} ${color.dim(`[${toPrintableLine(code)}]`)}\n`;
  const shown =
    source === null || source === ''
      ? ''
      : color.dim(formatExcerpt(source, { line, column }, columns));
  return `${first}${shown}${hint === '' ? '' : `  ${toPrintableLine(hint)}\n`}`;
}

export function summarizeLint(
  found: readonly Pick<Diagnostic, 'severity'>[],
  files: number,
): string {
  const count = (severity: Diagnostic['severity']) =>
    found.filter((one) => one.severity === severity).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')];
  const noted = notes === 0 ? '' : `, ${formatCount(notes, 'note')}`;
  const summed =
    errors + warnings === 0
      ? 'No findings'
      : `${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}`;
  return `${summed}${errors + warnings === 0 ? '' : noted} in ${formatCount(files, 'file')}${errors + warnings === 0 ? noted : ''}.\n`;
}
