import Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../base/errors/errors.ts';
import type { ListedJobRow } from './runnerDirectory.ts';

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

/** PostgreSQL takes no NUL in texts, and in JSON neither. */
const hasNul = (value: unknown): boolean => JSON.stringify(value).includes('\\u0000');

/**
 * Rows of a frame. One that is none is left out: it must not take its neighbours. Throws SvcError `malformed` where the
 * body is no list.
 */
export function readListRows(body: Uint8Array): { rows: ListedJobRow[]; leftOut: number } {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch {
    throw new SvcError('malformed', 'The rows of a list are not JSON.');
  }
  if (!Array.isArray(value)) throw new SvcError('malformed', 'The rows of a list are no list.');
  const rows = value.filter((row): row is ListedJobRow => Check(Row, row) && !hasNul(row));
  return { rows, leftOut: value.length - rows.length };
}
