import Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../base/errors/errors.ts';
import type { ListedJobRow, PlacedRow } from './runnerDirectory.ts';

const Text = (maxLength: number) => Type.String({ maxLength });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** What every version of a row has; the rest is shown as it is. */
const Row = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,127}$' }),
  type: Text(64),
  status: Text(256),
  description: Text(4_000),
  repoSlug: orNull(Text(512)),
  parentJobId: orNull(Text(128)),
  needs: Type.Unknown(),
  createdAt: Time,
  updatedAt: Time,
});

const decoder = new TextDecoder('utf-8', { fatal: true });

const UNSTORABLE = /[\p{Cs}\0]/u;

/** Whether PostgreSQL takes the names of all its members; what texts hold is replaced when they are stored. */
function hasStorableNames(value: unknown): boolean {
  let isStorable = true;
  JSON.stringify(value, (name, member: unknown) => {
    if (UNSTORABLE.test(name)) isStorable = false;
    return member;
  });
  return isStorable;
}

/** A day that exists: PostgreSQL refuses others, and with one the whole frame. */
const isTime = (text: string): boolean => {
  const at = Date.parse(text);
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 19) === text.slice(0, 19);
};

const isStorable = (row: ListedJobRow): boolean =>
  isTime(row.createdAt) && isTime(row.updatedAt) && hasStorableNames(row);

/** The rows that can be stored; an unusable one does not affect the others. */
export const pickListRows = (values: readonly unknown[]): ListedJobRow[] =>
  values.filter((row): row is ListedJobRow => Check(Row, row) && isStorable(row));

/**
 * The rows of a frame. `readAt`: for each, the entry that it was read at. An unusable row is left out and does not affect
 * the others. Throws SvcError `malformed` if the body is not a list.
 */
export function readListRows(
  body: Uint8Array,
  readAt: readonly (number | null)[] = [],
): { rows: PlacedRow[]; leftOut: number } {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch {
    throw new SvcError('malformed', 'The rows of a list are not JSON.');
  }
  if (!Array.isArray(value)) throw new SvcError('malformed', 'The rows of a list are no list.');
  const rows = value.flatMap((one: unknown, index) =>
    pickListRows([one]).map((row) => ({ row, entry: readAt[index] ?? null })),
  );
  return { rows, leftOut: value.length - rows.length };
}
