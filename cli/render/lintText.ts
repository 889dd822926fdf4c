import type { Diagnostic } from '../../src/schema/diagnostic.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';

/**
 * A finding as editors and CI understand it, `file:line:column`, with its hint on the next line.
 */
export function lintText(
  { file, line, column, severity, code, message, hint }: Diagnostic,
  { color }: Pick<Io, 'color'>,
): string {
  const kind = severity === 'error' ? color.red(severity) : color.yellow(severity);
  const first = `${printableLine(file)}:${line}:${column} ${kind} ${printableLine(message)} ${color.dim(`[${printableLine(code)}]`)}\n`;
  return hint === '' ? first : `${first}  ${printableLine(hint)}\n`;
}
