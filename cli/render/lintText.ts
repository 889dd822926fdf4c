import type { Diagnostic } from '../../src/schema/diagnostic.ts';
import type { Io } from '../io.ts';
import { excerpt } from './excerpt.ts';
import { printableLine } from './printable.ts';

/**
 * A finding as editors and CI understand it, `file:line:column`; below it the line that it is about,
 * where `source` is the file's text, and its hint.
 */
export function lintText(
  { file, line, column, severity, code, message, hint }: Diagnostic,
  { color, columns = 0 }: Pick<Io, 'color'> & Partial<Pick<Io, 'columns'>>,
  source: string | null = null,
): string {
  const paint = { error: color.red, warning: color.yellow, note: color.cyan }[severity];
  const first = `${printableLine(file)}:${line}:${column} ${paint(severity)} ${printableLine(message)} ${color.dim(`[${printableLine(code)}]`)}\n`;
  const shown =
    source === null || source === '' ? '' : color.dim(excerpt(source, { line, column }, columns));
  return `${first}${shown}${hint === '' ? '' : `  ${printableLine(hint)}\n`}`;
}

const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? '' : 's'}`;

/** How much was found, and in how many files that were read. */
export function lintSummary(found: readonly Pick<Diagnostic, 'severity'>[], files: number): string {
  const count = (severity: Diagnostic['severity']) =>
    found.filter((one) => one.severity === severity).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')];
  const noted = notes === 0 ? '' : `, ${counted(notes, 'note')}`;
  const summed =
    errors + warnings === 0
      ? 'No findings'
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  return `${summed}${errors + warnings === 0 ? '' : noted} in ${counted(files, 'file')}${errors + warnings === 0 ? noted : ''}.\n`;
}
