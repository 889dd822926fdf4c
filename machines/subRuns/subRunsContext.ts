import type { FailurePolicy } from '../../src/contract/schema/workflow/workflow.ts';
import { EMPTY_GRAPH, type Graph, type Mark } from './graph.ts';

/** What the dispatcher's guards read; descriptions, params, jobs, reasons and times are rows. */
export interface SubRunsContext {
  parentJobId: string;
  graph: Graph;
  /** Most sub-runs with a job at once. */
  cap: number;
  policy: FailurePolicy;
  /** Sub-runs that an agent had rerun, by position; once each is allowed. */
  agentReruns: readonly number[];
  skippedFrom?: Readonly<Record<string, Mark>>;
  /** What keeps jobs from being created; absent or null = nothing. */
  hindered?: CampaignHindrance | null;
  createdAt: number;
}

export interface CampaignHindrance {
  /** The problem of the first of them. */
  message: string;
  /** A person must repair it. */
  needsPerson: boolean;
  /** Waits in a row, including this one. */
  waits: number;
  /** When all are retried, epoch ms; null = a retry is running. */
  until: number | null;
}

/** Input of a parent's dispatcher. A `graph` is already checked, and waits for the parent. */
export interface SubRunsInput {
  parentJobId: string;
  createdAt: number;
  finalized?: { graph: Graph; cap: number; policy: FailurePolicy };
}

export const createSubRunsContext = ({ finalized, ...input }: SubRunsInput): SubRunsContext => ({
  ...input,
  graph: finalized?.graph ?? EMPTY_GRAPH,
  cap: finalized?.cap ?? 1,
  policy: finalized?.policy ?? 'halt-on-failure',
  agentReruns: [],
});

/** Actor id of a parent's dispatcher. */
export const toDispatcherId = (parentJobId: string): string => `${parentJobId}.sub-runs`;
