import type { JobContext } from '../../../machines/index.ts';
import type { Metering } from '../../contract/session/metering.ts';
import type { Caps } from '../../shared/spending/budgetScopes.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Exceeded } from '../../contract/schema/policy/exceeded.ts';
import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';

/** How the next call of a phase is paid for. */
export interface CallPrice {
  metered: boolean;
  /** By the vendor's own prices, as the release has them. */
  isListed: boolean;
  /** Of the largest call that is expected, millionths of a dollar. */
  microUsd: number;
}

/** How calls of a phase are paid for, and what the runner learns of them. */
export type PhaseCalls = CallPrice & Required<Metering>;

export interface BudgetDeps {
  rows: Pick<TypedRows<Tables>, 'all' | 'one' | 'count'>;
  writeRows(changes: RowChange[]): Promise<void>;
  now(): number;
  settings: {
    budgets: { caps: Caps; headlessFactor: number; unpriced: { input: number; output: number } };
  };
  rootOf(jobId: string): string;
  /** A job's context; undefined for one that does not exist. */
  contextOf(jobId: string): JobContext | undefined;
  callPrice(phase: PhaseDefinition): CallPrice;
}

/** Why a session may not begin or continue: null = its budgets are not spent, others hold the rest. */
export interface Stop {
  exceeded: Exceeded | null;
}
