import type { ConfigValue } from '../../../src/contract/schema/runner/config.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

/** A value on one line: texts unchanged, everything else as JSON. */
export const formatConfigValue = (value: unknown): string =>
  toPrintableLine(typeof value === 'string' ? value : JSON.stringify(value));

const formatConfigOrigin = ({ origin, from }: ConfigValue): string =>
  from === null ? origin : `${origin} ${from}`;

export function formatConfigValues(
  values: readonly ConfigValue[],
  showOrigin: boolean,
  io: Pick<Io, 'color' | 'columns'>,
): string {
  const header = showOrigin ? ['KEY', 'VALUE', 'ORIGIN'] : ['KEY', 'VALUE'];
  const rows = values.map((value) => [
    toPrintableLine(value.key),
    formatConfigValue(value.value),
    ...(showOrigin ? [toPrintableLine(formatConfigOrigin(value))] : []),
  ]);
  return renderTable(header, rows, io);
}
