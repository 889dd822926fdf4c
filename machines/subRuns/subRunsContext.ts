import type { FailurePolicy } from '../../src/contract/schema/workflow/workflow.ts';
import { EMPTY_GRAPH, type Graph, type Mark } from './graph.ts';

/**
 * All that the dispatcher's guards read; descriptions, params, jobs, reasons and times of sub-runs
 * are rows.
 */
export interface SubRunsContext {
  parentJobId: string;
  graph: Graph;
  /** Sub-runs with a job at once. */
  cap: number;
  policy: FailurePolicy;
  /** Positions of the sub-runs that an agent has had rerun: it may do so once for each. */
  agentReruns: readonly number[];
  /**
   * Position of a sub-run that a person has skipped → what it was, for as long as that can be taken
   * back; absent: nothing can.
   */
  skippedFrom?: Readonly<Record<string, Mark>>;
  /** What keeps jobs of sub-runs from being created; absent, null: nothing does. */
  hindered?: CampaignHindrance | null;
  createdAt: number;
}

/** Sub-runs whose jobs cannot be created now. */
export interface CampaignHindrance {
  /** The first of them, with what is wrong. */
  message: string;
  /** A person has to repair it. */
  needsPerson: boolean;
  /** Waits in a row, this one included. */
  waits: number;
  /** When all of them are tried again, epoch ms; null = they are being tried. */
  until: number | null;
}

/**
 * Input of a parent's dispatcher. With a `graph` it has been checked, and waits for the parent to
 * park.
 */
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

/** Id of the dispatcher of a coordinating parent. */
export const toDispatcherId = (parentJobId: string): string => `${parentJobId}.sub-runs`;
