export type SqlValue = string | number | bigint | null;

/** Booleans become 0 and 1, objects and lists JSON. */
export function toSqlValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  return JSON.stringify(value);
}
