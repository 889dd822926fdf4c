import type { AuditTables } from './auditTables.ts';
import type { BudgetTables } from './budgetTables.ts';
import type { CheckoutTables } from './checkoutTables.ts';
import type { DecisionTables } from './decisionTables.ts';
import type { ForgeTables } from './forgeTables.ts';
import type { GuardrailTables } from './guardrailTables.ts';
import type { IntelligenceTables } from './intelligenceTables.ts';
import type { IntakeTables } from './intakeTables.ts';
import type { JobListTable } from './jobListTable.ts';
import type { NotificationTables } from './notificationTables.ts';
import type { ProposalTables } from './proposalTables.ts';
import type { ScheduleTables } from './scheduleTables.ts';
import type { TraceTables } from './traceTables.ts';
import type { UsageTables } from './usageTables.ts';
import type { SandboxState } from '../../base/agents/sandboxProfiles.ts';
import type { Caller } from '../schema/runner/caller.ts';
import type { MessageWay } from '../schema/session/message.ts';
import type { ProviderEventKind, PrState } from '../schema/forge/pr.ts';
import type { SubRunStatus } from '../schema/job/subRun.ts';

/** A boolean as SQLite stores it. */
type Flag = 0 | 1;

/**
 * Every table that a feature owns, with its columns as they are stored: reads and writes infer from
 * it. The migrations create the tables; a test compares the two. Times are epoch ms unless a column
 * says otherwise.
 */
export interface Tables
  extends JobListTable,
    ForgeTables,
    IntakeTables,
    UsageTables,
    BudgetTables,
    GuardrailTables,
    DecisionTables,
    NotificationTables,
    ProposalTables,
    ScheduleTables,
    CheckoutTables,
    IntelligenceTables,
    TraceTables,
    AuditTables {
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
    /** Of a comment that has not woken the job; null = it may have. */
    held: 1 | null;
    /** Of a comment whose text looks as if it gave other instructions; null = it does not. */
    override: 1 | null;
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
    /** Why nothing can come from it now; null = nothing is known. */
    problem: string | null;
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
    /** Since when its content is gone, epoch ms; null = it exists. */
    removed_at: number | null;
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
  /** What confined a session; sessions for which no sandbox was wanted have no row. */
  session_sandboxes: {
    job_id: string;
    visit: number;
    session: number;
    state: SandboxState;
    /** Why nothing confined it; null where something did. */
    reason: string | null;
  };
  /** What an agent wrote last in the newest session of a visit, where that session failed. */
  failed_outputs: {
    job_id: string;
    visit: number;
    session: number;
    phase: string;
    /** JSON of lines, as LastOutput has them. */
    lines: string;
    /** Of its program; null = it did not exit by itself, or the row is older than the column. */
    exit_code: number | null;
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
    /** Name of the member of the team who approved it; null = no name is known. */
    approved_person: string | null;
  };
  /**
   * Transitions between the phases of its workflow that a job took, also to its end. `kind`: `next`
   * leads to the next visit, `wait` to a phase without a visit in which the job awaits an event, `end`
   * to its end, `budget` to the wait for a budget.
   */
  phase_transitions: {
    job_id: string;
    /** The visit that it leaves; 0 before the first. */
    visit: number;
    kind: string;
    at: number;
    /** The workflow that the job followed. */
    workflow: string;
    from_phase: string;
    /** A phase, or an end in parentheses, as TakenTransition has it. */
    to_phase: string;
    /** As TakenTransition has it. */
    cause: string;
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
  /** What people did that does not reach a job and is in its log: a forge shows it again and again. */
  unheard_news: { job_id: string; external_id: string; at: number };
  /** Jobs that wait for a limit of a model, in the order in which they are woken. */
  quota_waits: { pool: string; headless: Flag; since: number; job_id: string };
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

  /** The last 50 runs of retention. */
  retention_runs: {
    at: number;
    /** JSON. */
    reply: string;
  };
}
