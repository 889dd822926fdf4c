import type { ConfigValue } from '../../src/schema/config.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';
import { table } from './table.ts';

/** A value on one line: texts as they are, everything else as JSON. */
export const valueText = (value: unknown): string =>
  printableLine(typeof value === 'string' ? value : JSON.stringify(value));

const originText = ({ origin, from }: ConfigValue): string =>
  from === null ? origin : `${origin} ${from}`;

/** Values as a table, with where they come from on demand. */
export function valuesText(
  values: readonly ConfigValue[],
  showOrigin: boolean,
  io: Pick<Io, 'color' | 'columns'>,
): string {
  const header = showOrigin ? ['KEY', 'VALUE', 'ORIGIN'] : ['KEY', 'VALUE'];
  const rows = values.map((value) => [
    printableLine(value.key),
    valueText(value.value),
    ...(showOrigin ? [printableLine(originText(value))] : []),
  ]);
  return table(header, rows, io);
}
