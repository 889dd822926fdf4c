import type { BudgetMetric, BudgetScope } from '../../shared/spending/budgetScopes.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';

export type CapRow = Tables['budget_caps'];

/** What a person changes of a cap; counts of the ledger. */
export interface CapChange {
  scope: BudgetScope;
  key: string;
  window: string;
  metric: BudgetMetric;
  /** In place of what the layers say; null = that again; left out = as it is. */
  cap?: number | null;
  /** More than before. */
  raise?: number;
}

/** The row of a cap after a change: a cap is for every window, a raise for the present one. */
export function toCapRow(
  rows: Pick<TypedRows<Tables>, 'all'>,
  { cap, raise = 0, ...change }: CapChange,
  at: number,
  by: Caller,
): CapRow {
  const key = { ...change, window: cap === undefined ? change.window : '' };
  const [before] = rows.all('budget_caps', key);
  return {
    ...key,
    cap: cap === undefined ? (before?.cap ?? null) : cap,
    // A cap that is set replaces what it was raised by.
    raised: (cap === undefined ? (before?.raised ?? 0) : 0) + raise,
    at,
    by,
  };
}

/** The rows of caps among changes. */
export const pickCapRows = (changes: readonly RowChange[]): CapRow[] =>
  changes.flatMap((change) =>
    change.op === 'put' && change.table === 'budget_caps' ? [change.row as CapRow] : [],
  );

/** The caps once the changed ones have replaced theirs. */
export const replaceChangedCaps = (
  rows: readonly CapRow[],
  changed: readonly CapRow[],
): CapRow[] => [
  ...rows.filter((row) => !changed.some((one) => isSameCapRow(one, row))),
  ...changed,
];

const isSameCapRow = (one: CapRow, other: CapRow): boolean =>
  one.scope === other.scope &&
  one.key === other.key &&
  one.metric === other.metric &&
  one.window === other.window;
