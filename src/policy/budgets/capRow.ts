import type { BudgetMetric, BudgetScope } from '../../base/spending/budgetScopes.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';

export type CapRow = Tables['budget_caps'];

/** A person's change of a cap, in units of the ledger. */
export interface CapChange {
  scope: BudgetScope;
  key: string;
  window: string;
  metric: BudgetMetric;
  /** Replaces the cap of the layers; null = back to it; left out = unchanged. */
  cap?: number | null;
  /** Amount to add. */
  raise?: number;
}

/** A cap's row after a change: a cap holds for every window, a raise for the present one. */
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
    // Setting a cap discards its raises.
    raised: (cap === undefined ? (before?.raised ?? 0) : 0) + raise,
    at,
    by,
  };
}

export const pickCapRows = (changes: readonly RowChange[]): CapRow[] =>
  changes.flatMap((change) =>
    change.op === 'put' && change.table === 'budget_caps' ? [change.row as CapRow] : [],
  );

/** The caps once the changed ones have replaced theirs. */
export const replaceChangedCaps = (
  rows: readonly CapRow[],
  changedRows: readonly CapRow[],
): CapRow[] => [
  ...rows.filter((row) => !changedRows.some((one) => isSameCapRow(one, row))),
  ...changedRows,
];

const isSameCapRow = (one: CapRow, other: CapRow): boolean =>
  one.scope === other.scope &&
  one.key === other.key &&
  one.metric === other.metric &&
  one.window === other.window;
