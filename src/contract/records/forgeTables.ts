import type { Caller } from '../schema/runner/caller.ts';
import type { PrState } from '../schema/forge/pr.ts';
import type { DiffSide, Review, ReviewVerdict } from '../schema/forge/review.ts';

/** A boolean as SQLite stores it. */
type Flag = 0 | 1;

/** The tables of forges, reviews and writes to them; a part of `Tables`. */
export interface ForgeTables {
  /** Pull requests of the local forge. */
  forge_prs: {
    repo: string;
    number: number;
    /** The operation that created it. */
    operation_id: string;
    title: string;
    body: string;
    head: string;
    base: string;
    author: string;
    state: PrState;
    work_item: string | null;
    created_at: number;
    merged_at: number | null;
    merge_commit: string | null;
    merged_by: string | null;
    merge_operation_id: string | null;
    /** The commit of its branch with which it was opened; null = not known. */
    head_commit: string | null;
  };
  forge_comments: {
    repo: string;
    number: number;
    id: string;
    operation_id: string;
    author: string;
    body: string;
    in_reply_to: string | null;
    at: number;
    /** Of a comment on code, all null elsewhere: the file. */
    path: string | null;
    /** The last line; null = the whole file. */
    line: number | null;
    start_line: number | null;
    side: DiffSide | null;
    /** The commit whose lines are counted. */
    commit_hash: string | null;
    /** Of the first comment of a thread: when it was resolved. */
    resolved_at: number | null;
    resolved_by: string | null;
  };
  /** The newest decision of each reviewer. */
  forge_reviews: {
    repo: string;
    number: number;
    author: string;
    operation_id: string;
    at: number;
    /**
     * Commit that was reviewed; null in rows of older homes, whose approval counts for no
     * particular commit.
     */
    commit_hash: string | null;
    verdict: 'approved' | 'changes_requested';
  };
  /**
   * Writes to remote forges and trackers: what was sent, and what tells a repeat that it is one.
   */
  forge_writes: {
    operation_id: string;
    /** Id of the forge or tracker. */
    forge: string;
    operation: string;
    /** Repository, or key of the issue. */
    repo: string;
    number: number | null;
    job_id: string;
    phase: string;
    at: number;
    state: 'sent' | 'done' | 'refused' | 'undecided';
    /** JSON of the answer, or why it has none. */
    result: string;
  };
  /** Approvals by people that svc keeps and no forge has; each counts for exactly its commit. */
  svc_approvals: {
    forge: string;
    repo: string;
    number: number;
    person: string;
    head: string;
    at: number;
    /** How the person was authenticated. */
    came: Caller;
  };
  /** Reviews that people have sent through svc. */
  reviews: {
    id: string;
    job_id: string;
    forge: string;
    repo: string;
    number: number;
    pr_id: string;
    /** The commit that was reviewed. */
    head: string;
    author: string;
    /** How the person was authenticated. */
    came: Caller;
    at: number;
    verdict: ReviewVerdict;
    /** JSON: text and comments. */
    content: string;
    state: Review['state'];
    /** Why it is missing; null = it exists or is on its way. */
    problem: string | null;
    /** JSON: the outcome of the decision and of each comment. */
    outcome: string;
  };
  /** Conflicts of pull requests that were reported. */
  pr_conflicts: {
    forge: string;
    repo: string;
    number: number;
    /**
     * Id under which the forge reports it: the same for as long as the branch is at the same
     * commit.
     */
    cause: string;
    /** From 1 on: how often this commit has come into conflict. */
    round: number;
    /** 1: it has been seen to be mergeable since. */
    over: Flag;
  };
  /** The newest commit of a pull request whose checks were seen. */
  pr_checks: {
    forge: string;
    repo: string;
    number: number;
    /**
     * Id under which the forge reports that all checks of a commit are green, until one of them
     * ends again.
     */
    cause: string;
    /** From 1 on: how often they became green under this id. */
    round: number;
    /** 1: they are green, as last seen. */
    green: Flag;
    /** 1: a job was notified. */
    told: Flag;
    /** JSON of the event. */
    event: string;
  };
}
