import type { Tables } from '../../contract/records/tables.ts';
import { AuditReader } from './queries/auditReader.ts';
import { BudgetStopReader } from '../../policy/budgets/budgetStopReader.ts';
import { type CopiedState, copyOpenState } from './copiedState.ts';
import { CostReader } from './queries/costReader.ts';
import { DecisionReader } from './queries/decisionReader.ts';
import { GuardrailReader } from '../../policy/guardrails/guardrailReader.ts';
import { InsightReader } from './queries/insightReader.ts';
import { InvestigationReader } from './queries/investigationReader.ts';
import { JobListReader } from './queries/jobListReader.ts';
import { JOB_ROW_GUARD } from './jobRowGuard.ts';
import type { Tell } from '../../kernel/sqlite/migrate.ts';
import { MIGRATIONS } from './migrations/migrations.ts';
import {
  openKernelStore,
  openKernelStoreInTurns,
  type KernelStore,
  type KernelStoreOptions,
  type StoreFeatures,
} from '../../kernel/sqlite/openKernelStore.ts';
import { RetentionReader } from './queries/retentionReader.ts';
import { StatisticsReader } from './queries/statisticsReader.ts';
import { WorkflowRunReader } from './queries/workflowRunReader.ts';
import { WatchedPrReader } from './queries/watchedPrReader.ts';

/** Tables that are read completely in every commit. */
const CACHED_TABLES: ReadonlySet<keyof Tables> = new Set(['budget_caps']);

export interface StoreOptions extends KernelStoreOptions {
  /** For tests of migrations; default: all of this release. */
  migrations?: readonly string[];
}

export interface OpenStore extends KernelStore<Tables> {
  statistics: StatisticsReader;
  workflowRuns: WorkflowRunReader;
  costs: CostReader;
  budgetStops: BudgetStopReader;
  guardrails: GuardrailReader;
  decisions: DecisionReader;
  jobs: JobListReader;
  insights: InsightReader;
  investigations: InvestigationReader;
  prs: WatchedPrReader;
  retention: RetentionReader;
  audit: AuditReader;
  /** Copies the current state to a file while it is in use. */
  copyTo(file: string): Promise<CopiedState>;
}

const createFeatures = (migrations: readonly string[] = MIGRATIONS): StoreFeatures => ({
  migrations,
  guard: JOB_ROW_GUARD,
  cachedTables: CACHED_TABLES,
  answers: { table: 'tool_answers', actor: 'job_id' },
});

function addReaders(store: KernelStore<Tables>): OpenStore {
  const { db, broken } = store;
  return {
    ...store,
    statistics: new StatisticsReader(db, broken),
    workflowRuns: new WorkflowRunReader(db),
    costs: new CostReader(db, broken),
    budgetStops: new BudgetStopReader(db),
    guardrails: new GuardrailReader(db, broken),
    decisions: new DecisionReader(db, broken),
    jobs: new JobListReader(db, broken),
    insights: new InsightReader(db, broken),
    investigations: new InvestigationReader(db, broken),
    prs: new WatchedPrReader(db),
    retention: new RetentionReader(db, broken),
    audit: new AuditReader(db, broken),
    copyTo: (file) => copyOpenState(db, file),
  };
}

export const openStore = ({ migrations, ...options }: StoreOptions): OpenStore =>
  addReaders(openKernelStore(options, createFeatures(migrations)));

export const openStoreOfRunner = async ({
  migrations,
  ...options
}: StoreOptions & { release: string; tell: Tell }): Promise<OpenStore> =>
  addReaders(await openKernelStoreInTurns(options, createFeatures(migrations)));
