import type { CapSet } from '../../src/base/spending/budgetScopes.ts';
import { WorkflowsOfVisits } from '../support/charts/approvalTruth.ts';
import type { ModelCall } from './usageTruths.ts';

/** What a person wants of the runner, kept outside of it: asked for until there is an answer. */
export interface Wish {
  /** Idempotency-Key of every attempt. */
  key: string;
  kind:
    | 'create'
    | 'message'
    | 'resume'
    | 'pause'
    | 'cancel'
    | 'rerun'
    | 'comment'
    | 'approve'
    | 'merge';
  /** The job, or the pull request's number; empty for `create`. */
  target: string;
  /** What tells this wish apart in the journal: text, event key, reason, phase. */
  word: string;
  /** With a resume: by how much the budget is raised that has stopped the job. */
  raise?: CapSet;
  /** What the person who approves has seen; left out where it is not said. */
  shown?: string;
  attempts: number;
  outcome: 'open' | 'done' | 'refused';
  /** What the last answer said. */
  answer: string;
  /** Id of a message's receipt, and the journal row that the answer names. */
  receipt?: string;
  seq?: number;
}

/** Events of the forge as they were committed, for the jobs that own the pull requests. */
export interface News {
  externalId: string;
  owner: string;
  /** The owner had ended just then: it is refused. */
  refusable: boolean;
}

/** The books of the world outside. */
export class Ledger {
  readonly workflows = new WorkflowsOfVisits();
  readonly requested: Wish[] = [];
  readonly news: News[] = [];
  /** Ids of messages that agents were given while they worked. */
  readonly read = new Set<string>();
  /** What budgets were raised by beside a resume. */
  readonly raises: CapSet[] = [];
  /** Calls of models that agents have made. */
  readonly calls: ModelCall[] = [];
  /** Last journal row, last frame and activity of each actor, as commits have shown. */
  readonly seqs = new Map<string, number>();
  readonly frames = new Map<string, number>();
  readonly activities = new Map<string, string>();
  /** Frames that a follower of each job has been sent, over all crashes. */
  readonly followed = new Map<string, number>();
}
