import { describeOutsideValue } from '../../base/json/describeOutsideValue.ts';

export interface Column {
  /** INTEGER, REAL, TEXT or BLOB: all tables are STRICT. */
  kind: string;
  isRequired: boolean;
}

/**
 * Why a column cannot hold a value, as the end of a sentence; null = it can. Whole numbers beyond
 * 2^53-1 are refused: they could be stored but not read.
 */
export function explainValueProblem(value: unknown, { kind, isRequired }: Column): string | null {
  if (value === null || value === undefined) return isRequired ? 'is missing' : null;
  if (typeof value === 'boolean') return null;
  if (kind === 'INTEGER')
    return Number.isSafeInteger(value)
      ? null
      : `is no whole number: ${describeOutsideValue(value)}`;
  if (kind === 'REAL')
    return Number.isFinite(value) ? null : `is no number: ${describeOutsideValue(value)}`;
  return typeof value === 'number' && !Number.isFinite(value)
    ? `is no text: ${describeOutsideValue(value)}`
    : null;
}
