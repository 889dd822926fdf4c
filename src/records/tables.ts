import type { JobListTable } from './jobListTable.ts';
import type { Caller } from '../schema/caller.ts';
import type { MessageWay } from '../schema/message.ts';
import type { ProviderEventKind, PrState } from '../schema/pr.ts';
import type { DiffSide, Review, ReviewVerdict } from '../schema/review.ts';
import type { SubRunStatus } from '../schema/subRun.ts';

/** A boolean as SQLite stores it. */
type Flag = 0 | 1;

/**
 * Every table that a feature owns, with its columns as they are stored: reads and writes infer from
 * it. The migrations create the tables; a test compares the two. Times are epoch ms unless a column
 * says otherwise.
 */
export interface Tables extends JobListTable {
  /** Messages and pull request events of a job, numbered from 1 in the order of their arrival. */
  inbox_items: {
    job_id: string;
    n: number;
    id: string;
    at: number;
    kind: 'message' | `event:${ProviderEventKind}`;
    author: string;
    text: string;
    pr_id: string | null;
    url: string | null;
    /** Of a message: when an agent has read it. */
    acknowledged_at: number | null;
    /** Of a message: id of the one that replaced it before an agent had read it. */
    superseded_by: string | null;
  };
  /** A message given to one run of a session. */
  message_offers: {
    job_id: string;
    id: string;
    visit: number;
    session: number;
    attempt: number;
    how: MessageWay;
    /** What the agent was doing when it was interrupted for the message. */
    interrupted: string | null;
    at: number;
    delivered_at: number | null;
    acknowledged_at: number | null;
  };
  /** Pull requests that jobs own. */
  pr_mappings: {
    forge: string;
    repo: string;
    number: number;
    job_id: string;
    pr_id: string;
    title: string;
    head: string;
    base: string;
    url: string;
    state: PrState;
    work_item: string | null;
    /** ISO 8601. */
    merged_at: string | null;
  };
  insights: {
    job_id: string;
    id: string;
    at: number;
    phase: string;
    category: string;
    text: string;
  };
  artefacts: {
    job_id: string;
    id: string;
    at: number;
    phase: string;
    visit: number;
    kind: string;
    title: string;
    mime: string;
    /** Bytes. */
    size: number;
    sha256: string;
  };
  token_usage: {
    job_id: string;
    visit: number;
    session: number;
    phase: string;
    input_tokens: number;
    output_tokens: number;
    cached_input_tokens: number;
    /** Null: it was not reported. */
    cache_write_tokens: number | null;
  };
  phase_visits: {
    job_id: string;
    visit: number;
    phase: string;
    status: string;
    started_at: number;
    ended_at: number | null;
    sessions: number;
    /** Null: the visit ended before it was prepared. */
    overlay_hash: string | null;
    outcome: string | null;
    /** `developer`: a person, as svc 0.2 recorded it. */
    approved_by: Caller | 'autoApprove' | 'developer' | null;
  };
  /** Answers to tool calls that may be repeated after a crash. */
  tool_answers: {
    job_id: string;
    key: string;
    ok: Flag;
    /** JSON. */
    result: string;
  };
  deprecated_uses: {
    name: string;
    uses: number;
    last_used_at: number;
  };
  /** Commands that came with an Idempotency-Key. */
  requests: {
    key: string;
    body_hash: string;
    job_id: string;
    /** JSON of the reply; empty until it is kept. */
    reply: string;
    at: number;
  };

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
    /** How the person came in. */
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
    /** How the person came in. */
    came: Caller;
    at: number;
    verdict: ReviewVerdict;
    /** JSON: text and comments. */
    content: string;
    state: Review['state'];
    /** Why it is not there; null = it is, or it is on its way. */
    problem: string | null;
    /** JSON: what became of the verdict and of each comment. */
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

  sub_runs: {
    parent: string;
    name: string;
    /** Place in the list of the parent. */
    n: number;
    description: string;
    /** JSON of an object. */
    params: string;
    /** JSON of a list of names. */
    depends_on: string;
    tracker_ref: string | null;
    /** Job of the latest attempt; null before the first. */
    job_id: string | null;
    /** Number of its next or present run. */
    attempt: number;
    status: SubRunStatus;
    reason: string | null;
    started_at: number | null;
    completed_at: number | null;
    /** JSON of reason and completedAt as they were before a skip; null where none can be undone. */
    before_skip: string | null;
  };
  /** What a sub-run was given of its siblings when it was dispatched. */
  sibling_insights: {
    job_id: string;
    n: number;
    sub_run: string;
    id: string;
    at: number;
    phase: string;
    category: string;
    text: string;
  };
  /** Jobs that coordinate sub-runs, or did. */
  campaigns: { job_id: string };

  /** Deliveries of webhooks that were taken. */
  webhook_deliveries: {
    plugin_id: string;
    delivery_id: string;
    at: number;
  };
  /** Tickets and foreign pull requests that the params of jobs name. */
  job_references: { reference: string; job_id: string };
  /** Jobs that rules have made of webhooks. */
  trigger_runs: {
    rule: string;
    subject: string;
    job_id: string;
    at: number;
    plugin_id: string;
    delivery_id: string;
    event: string;
    author: string;
  };

  /**
   * Browsers that were let into the dashboard: hashes of the two values, which only the browser
   * has.
   */
  logins: {
    cookie_hash: string;
    page_key_hash: string;
    created_at: number;
    used_at: number;
  };
}
