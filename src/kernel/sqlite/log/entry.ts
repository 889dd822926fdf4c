import { gunzipSync, gzipSync } from 'node:zlib';
import { SvcError, toErrorMessage } from '../../../base/errors/errors.ts';
import type { SqlValue } from '../toSqlValue.ts';
import type { RecordedBatch } from './recordedStatements.ts';

/** More is not unpacked: a damaged or hostile body must not fill the memory. 256 MiB. */
const MOST_BYTES = 256 << 20;
/** Half the time of the default level, for bodies that are a tenth longer. */
const LEVEL = 3;
/**
 * What a batch consists of: one statement that changes rows of one table. The tables of the log and
 * of the owner are written by the store alone.
 */
const STATEMENT =
  /^\s*(?:INSERT(?: OR [A-Z]+)? INTO|UPDATE(?: OR [A-Z]+)?|DELETE FROM)\s+"?([a-z_]\w*)"?[\s(]/;
const OWN_TABLES: ReadonlySet<string> = new Set(['meta', 'log_outgoing']);

/** A value that JSON cannot hold, in a list of its own. */
type PackedValue = string | number | null | [string];

function packValue(value: SqlValue): PackedValue {
  if (typeof value === 'bigint') return [`${value}n`];
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return [Object.is(value, -0) ? '-0' : String(value)];
  return value;
}

function unpackValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (!Array.isArray(value) || value.length !== 1 || typeof value[0] !== 'string')
    throw new Error('SQLite cannot hold a value');
  const [text] = value;
  return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
}

/** The body of an entry. */
export const encodeEntry = ({ texts, calls }: RecordedBatch): Uint8Array =>
  gzipSync(JSON.stringify({ texts, calls: calls.map(packValue) }), { level: LEVEL });

function checkCalls(texts: readonly string[], calls: readonly SqlValue[]): void {
  let at = 0;
  while (at < calls.length) {
    const [text, count] = [calls[at], calls[at + 1]];
    if (texts[Number(text)] === undefined || !Number.isSafeInteger(count) || Number(count) < 0)
      throw new Error('its calls and its statements differ');
    at += 2 + Number(count);
  }
  if (at > calls.length) throw new Error('its last call is cut');
}

/**
 * Reads a body. It comes over the network: whatever is not a change of rows is refused. Throws
 * SvcError `store-failed`. `mostBytes`: of the body unpacked.
 */
export function decodeEntry(body: Uint8Array, mostBytes = MOST_BYTES): RecordedBatch {
  try {
    const text = gunzipSync(body, { maxOutputLength: mostBytes }).toString('utf8');
    const { texts, calls } = Object(JSON.parse(text));
    if (!Array.isArray(texts) || !Array.isArray(calls)) throw new Error('it has no statements');
    for (const sql of texts) {
      const table = typeof sql === 'string' ? STATEMENT.exec(sql)?.[1] : undefined;
      if (table === undefined || OWN_TABLES.has(table))
        throw new Error(`a batch cannot have this statement: ${String(sql).slice(0, 100)}`);
    }
    const values = calls.map(unpackValue);
    checkCalls(texts, values);
    return { texts, calls: values };
  } catch (error) {
    throw new SvcError(
      'store-failed',
      `An entry of the home's log cannot be read: ${toErrorMessage(error)}`,
      { cause: error },
    );
  }
}
