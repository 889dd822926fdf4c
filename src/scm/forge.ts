import type { PrEvent, PrMapping } from '../schema/pr.ts';

/** A change of rows that belongs to a forge operation; whoever called commits it together with the events. */
export interface ForgeRow {
  op: 'put';
  table: string;
  row: Record<string, unknown>;
}

/** What an operation on a forge brings about. Nothing is stored yet: the caller commits rows and events at once. */
export interface ForgeChange {
  /** The pull request after the operation; null for operations without one. */
  pr: PrMapping | null;
  /** Answer for the tool or the HTTP reply; plain JSON. */
  result: Record<string, unknown>;
  rows: ForgeRow[];
  /** What the forge would report to those who watch the pull request. */
  events: PrEvent[];
}

/** Who acts, when, and under which id: the same id never acts twice. */
export interface ForgeActor {
  author: string;
  /** Epoch ms; also the time of commits made by the operation, so that a repeat makes the same commit. */
  at: number;
  /** Effect id or request id: an operation that was already done under it answers as it did then. */
  operationId: string;
}

export interface PrComment {
  id: string;
  author: string;
  body: string;
  /** Id of the comment that it answers; null for one of its own. */
  inReplyTo: string | null;
  at: string;
}

/**
 * Arguments by operation, after validation. `repo` is a slug that the forge knows. `base` empty: its default branch.
 * `checkoutDir`: absolute path of the checkout that has the head branch; empty: the forge has the branch already.
 */
export interface ForgeOperations {
  create_pr: {
    repo: string;
    head: string;
    base: string;
    title: string;
    body: string;
    checkoutDir: string;
    workItem: string | null;
  };
  post_pr_comment: { repo: string; number: number; body: string };
  reply_to_comment: { repo: string; number: number; commentId: string; body: string };
  approve_pr: { repo: string; number: number };
  merge_pr: { repo: string; number: number };
}
export type ForgeOperation = keyof ForgeOperations;

export interface PrStatus extends PrMapping {
  body: string;
  author: string;
  approvals: string[];
  /** Whether it can be merged now; null for one that is not open, and in lists, where finding out would take too long. */
  mergeable: boolean | null;
  comments: number;
  createdAt: string;
}

/** A place where pull requests live. */
export interface Forge {
  /** Also the prefix of its tool family: `local` → `local_create_pr`. */
  id: string;
  /** All that are configured; `defaultBranch` is empty for one that cannot be read. */
  repos(): { slug: string; path: string; defaultBranch: string }[];
  /** Throws SvcError `not-found` for a slug that it does not know. */
  pullRequests(repo: string): PrStatus[];
  pullRequest(repo: string, number: number): Promise<PrStatus>;
  comments(repo: string, number: number): PrComment[];
  /** Unified diff of base...head. */
  diff(repo: string, number: number): Promise<string>;
  /**
   * Looks at every open pull request for what happened without us: one whose head is already in its base was merged by
   * hand, or by us right before a crash. Answers a change each. `at` is epoch ms.
   */
  resync(at: number): Promise<ForgeChange[]>;
  write<K extends ForgeOperation>(operation: K, args: ForgeOperations[K], actor: ForgeActor): Promise<ForgeChange>;
}
