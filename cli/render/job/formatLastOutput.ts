import type { LastOutput } from '../../../src/contract/schema/session/lastOutput.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** What an agent wrote last, a line each with its number in the log; the first error is red. */
export function formatLastOutput(
  { lines = [] }: Partial<Pick<LastOutput, 'lines'>>,
  { color }: Pick<Io, 'color'>,
): string[] {
  const width = Math.max(0, ...lines.map(({ number }) => String(number).length));
  return lines.map(({ number, text, isError }) => {
    const line = toPrintableLine(text);
    return `${color.dim(String(number).padStart(width))}  ${isError ? color.red(line) : line}`;
  });
}
