import type { LastOutput } from '../../src/schema/lastOutput.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';

/**
 * What an agent wrote last, a line each with its number in the log; the first error is red. None where
 * it wrote nothing.
 */
export function lastOutputLines(
  { lines = [] }: Partial<Pick<LastOutput, 'lines'>>,
  { color }: Pick<Io, 'color'>,
): string[] {
  const width = Math.max(0, ...lines.map(({ number }) => String(number).length));
  return lines.map(({ number, text, isError }) => {
    const line = printableLine(text);
    return `${color.dim(String(number).padStart(width))}  ${isError ? color.red(line) : line}`;
  });
}
