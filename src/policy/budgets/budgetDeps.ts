import type { JobContext } from '../../../machines/index.ts';
import type { Metering } from '../../contract/session/metering.ts';
import type { Caps } from '../../base/spending/budgetScopes.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Exceeded } from '../../contract/schema/policy/exceeded.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

export interface CallPrice {
  metered: boolean;
  isListed: boolean;
  /** Price of the largest expected call, millionths of a dollar. */
  microUsd: number;
}

export type PhaseCalls = CallPrice & Required<Metering>;

export interface BudgetDeps {
  rows: Pick<TypedRows<Tables>, 'all' | 'one' | 'count'>;
  writeRows(changes: RowChange[]): Promise<void>;
  now(): number;
  settings: {
    budgets: { caps: Caps; headlessFactor: number; unpriced: { input: number; output: number } };
  };
  findRoot(jobId: string): string;
  /** A job's context; undefined for an unknown job. */
  readContext(jobId: string): JobContext | undefined;
  callPrice(phase: PhaseDefinition): CallPrice;
}

/**
 * Why a session may not begin or continue; null = its budgets are not spent, but others hold the
 * rest.
 */
export interface Stop {
  exceeded: Exceeded | null;
}
