import type { Report, ReportQuery } from '../schema/api/report.ts';
import type { Statistics, StatisticsQuery } from '../schema/api/statistics.ts';
import type { Authoring } from '../workflow/authoring.ts';
import type {
  CreatedJob,
  CreateJobBody,
  CommandReply,
  MessageBody,
  ResumeBody,
  StopAllReply,
} from '../schema/api/bodies.ts';
import type { BrokenRow } from '../schema/job/brokenRow.ts';
import type { Caller } from '../schema/runner/caller.ts';
import type { Estimate } from '../schema/policy/estimate.ts';
import type { Insight, Job, JobSummary } from '../schema/job/job.ts';
import type { LogMatches, LogPage, LogQuery, LogSearchQuery } from '../schema/job/jobLog.ts';
import type { Machine, MachineReply } from '../schema/workflow/machine.ts';
import type { MessageReceipt } from '../schema/session/message.ts';
import type { JobCountsQuery, MessagesQuery } from '../schema/api/queries.ts';
import type { ForgeView, WebhookReply } from '../schema/forge/forge.ts';
import type { PluginJob } from '../schema/runner/plugin.ts';
import type { BackupBody } from '../schema/runner/backup.ts';
import type { GcBody, GcReply, GcSchedule } from '../schema/runner/gc.ts';
import type { Campaign } from '../schema/job/campaign.ts';
import type {
  SubRunActionBody,
  SubRunReply,
  SubRunWhatIf,
  SubRunWhatIfBody,
} from '../schema/job/subRun.ts';
import type { McpServerList } from '../schema/session/mcpServer.ts';
import type { WorkflowEntry } from '../schema/workflow/workflow.ts';
import type {
  DeprecatedUse,
  JobCounts,
  JournalEntry,
  WhatIfReply,
  WhyReply,
} from '../schema/api/replies.ts';
import type { DeprecatedName } from '../../base/settings/deprecatedNames.ts';
import type { JobTimeline } from '../schema/job/timeline.ts';
import type { TriggerView } from '../schema/forge/trigger.ts';
import type { BudgetAccess } from '../policy/budgets.ts';
import type { CostView } from '../policy/costs.ts';
import type { Decisions } from '../policy/decisions.ts';
import type { Delivery } from '../forge/hook.ts';
import type { InsightAccess } from '../job/insights.ts';
import type { ProposalAccess } from '../workflow/proposals.ts';
import type { GuardrailAccess } from '../policy/guardrails.ts';
import type { JobReviews } from '../forge/jobReviews.ts';
import type { QuotaService } from '../policy/quotaService.ts';
import type { LocalPullRequests } from '../forge/localPullRequests.ts';
import type { RequestKey } from '../job/requestKey.ts';

/** Says which stored rows could not be read while something was done. */
export interface BrokenRowNotes {
  /** Runs something; `met`, asked when that is over: the rows that it met and left out. */
  collectBroken<T>(run: () => T): { value: T; met: () => BrokenRow[] };
}

/** Which jobs: the query of GET /jobs/counts. */
export interface JobSelection extends JobCountsQuery {
  /** The request comes from svc's own command line; default false. */
  own?: boolean;
}

/** A page of them: the query of GET /jobs. */
export interface JobFilter extends JobSelection {
  /** Default: `-created`. */
  sort?: string;
  limit: number;
  offset: number;
}

/** A numbered line of a job's stream; `n` counts from 1 without a gap, `at` is epoch ms. */
export interface Frame {
  actor: string;
  n: number;
  at: number;
  kind: string;
  data: Record<string, unknown>;
}

/** A reader of a job's stream. */
export interface FrameSink {
  /** Frames in order, each once; also those of the past that were asked for. Must not throw. */
  frames(frames: readonly Frame[]): void;
  /** The last call: the job has ended and everything is sent, or the runner stops. */
  bye(reason: 'ended' | 'stopping'): void;
}

/**
 * Everything that the outside (HTTP, and through it CLI and dashboard) can ask of the runner.
 * Throws SvcError with a code of the table: `not-found`, `not-possible-now` (with data.state and
 * data.accepts), `invalid`, `conflict`, …
 */
export interface Runner
  extends Authoring,
    BudgetAccess,
    CostView,
    GuardrailAccess,
    Decisions,
    JobReviews,
    LocalPullRequests,
    QuotaService,
    InsightAccess,
    ProposalAccess {
  health(): {
    status: 'ok' | 'stopping';
    version: string;
    mode: 'local' | 'hybrid';
    startedAt: string;
    jobs: { live: number; parked: number; ended: number };
    /** Older names that are still used on this home. */
    deprecatedUses: DeprecatedUse[];
  };

  createJob(body: CreateJobBody, request?: RequestKey): Promise<CreatedJob>;
  /** What a job of this request may use; nothing is made. Throws what `createJob` would. */
  estimateJob(body: CreateJobBody): Promise<Estimate>;
  jobs(filter: JobFilter): Promise<{ jobs: JobSummary[]; total: number }>;
  jobCounts(selection: JobSelection): Promise<JobCounts>;
  /**
   * Calls back with every job that a commit has changed, as it is then, until the returned function
   * is called.
   */
  watchJobs(changed: (jobs: readonly JobSummary[]) => void): () => void;
  job(id: string): Job;
  /**
   * `by` says how the person came in (default `open`); an approval writes it into the row of the
   * visit. Throws `shown-required` where the first version shown is not the present one and `shown`
   * does not name that.
   */
  resume(id: string, body: ResumeBody, request?: RequestKey, by?: Caller): Promise<CommandReply>;
  cancel(id: string, reason: string | null, request?: RequestKey): Promise<CommandReply>;
  pause(id: string, request?: RequestKey): Promise<CommandReply>;
  /** Pauses every job that has not ended. */
  stopAll(): Promise<StopAllReply>;
  /**
   * Puts aside what a failed or escalated job asks; one that was put aside stays so. Throws
   * `not-possible-now` for any other job.
   */
  dismiss(id: string, request?: RequestKey, by?: Caller): Promise<JobSummary>;
  /** Takes it back. Throws the same. */
  undismiss(id: string, request?: RequestKey, by?: Caller): Promise<JobSummary>;
  /**
   * Throws `not-found` for a message to be replaced that is not there, `not-possible-now` for one
   * that an agent was given.
   */
  message(id: string, body: MessageBody, request?: RequestKey): Promise<CommandReply>;
  /**
   * A page of the job's messages with their receipts, oldest first, and how many there are in all.
   * Default: the newest 100.
   */
  messages(id: string, page?: MessagesQuery): { messages: MessageReceipt[]; total: number };
  rerun(id: string, phase: string, request?: RequestKey): Promise<CommandReply>;

  /** Throws SvcError `bad-argument` for a time that is none, or to come. */
  report(query: ReportQuery): Report;
  /** What happened on the last days; read in slices, between which the runner does other work. */
  statistics(query: StatisticsQuery): Promise<Statistics>;
  /** The graph of a parent's sub-runs. Throws `not-found` for a job that has none. */
  campaign(id: string): Campaign;
  /** What skip, unskip, rerun or cancel of one sub-run would change; nothing happens. */
  subRunWhatIf(id: string, name: string, body: SubRunWhatIfBody): SubRunWhatIf;
  skipSubRun(
    id: string,
    name: string,
    body: SubRunActionBody,
    request?: RequestKey,
  ): Promise<SubRunReply>;
  /**
   * Undoes a skip. Throws `not-possible-now` once the campaign has settled, a job was stopped for
   * the skip, or something that depends on the sub-run has started.
   */
  unskipSubRun(
    id: string,
    name: string,
    body: SubRunActionBody,
    request?: RequestKey,
  ): Promise<SubRunReply>;
  /**
   * With `onlyIfEnded` one that waits for its turn or runs stays as it is, and that is no refusal.
   */
  rerunSubRun(
    id: string,
    name: string,
    body: SubRunActionBody,
    request?: RequestKey,
    options?: { onlyIfEnded?: boolean },
  ): Promise<SubRunReply>;
  cancelSubRun(
    id: string,
    name: string,
    body: SubRunActionBody,
    request?: RequestKey,
  ): Promise<SubRunReply>;
  /**
   * Counts a use of an older name, so that it can be removed once it is unused; `own`: by svc's own
   * command line.
   */
  deprecatedUse(name: DeprecatedName, own?: boolean): void;

  insights(id: string): Insight[];
  removeInsight(id: string, insightId: string): Promise<void>;
  /** Where the bytes are, and what they are. */
  artefact(
    id: string,
    artefactId: string,
  ): { path: string; mime: string; size: number; title: string; sha256: string };

  /**
   * The external tool servers that the job's present phase has, and what was left out. Throws
   * `not-found`.
   */
  mcpServers(id: string): Promise<McpServerList>;
  /** What the agent host's own file would add where `inheritClaudeCodeMcps` is on. */
  inheritedMcps(): Promise<McpServerList>;

  why(id: string): WhyReply;
  whatIf(id: string, event: { type: string; [key: string]: unknown }): WhatIfReply;
  /** Throws `not-found`. */
  machine(id: string): Promise<MachineReply>;
  /** Every chart that runs here, and the workflows of base and tenant layer that have no error. */
  machines(): Promise<Machine[]>;
  journal(id: string, after: number, limit: number): JournalEntry[];
  /** Neighbouring lines of the log. Throws `not-found`. */
  log(id: string, query: LogQuery): LogPage;
  /** Ends early when `signal` is aborted. Throws `not-found`. */
  searchLog(id: string, query: LogSearchQuery, signal: AbortSignal): Promise<LogMatches>;
  /** The log as plain text, line by line. Throws `not-found` when it is called. */
  logText(id: string, signal: AbortSignal): AsyncIterable<string>;
  /** Where the job's time went. Throws `not-found`. */
  timeline(id: string): JobTimeline;
  /** Number of the job's last frame; 0 = it has none yet. */
  lastFrame(id: string): number;
  /**
   * Sends frames after number `after` and then live ones, until the returned function is called.
   */
  subscribe(id: string, after: number, sink: FrameSink): () => void;

  workflows(): Promise<WorkflowEntry[]>;

  /**
   * Clears away what is kept of jobs that have ended, by the settings `retention`; what was not
   * committed or pushed is saved first. Throws `not-possible-now` while another cleanup is in progress.
   */
  gc(body: GcBody): Promise<GcReply>;
  /** When it does so by itself, and what that has done. */
  gcSchedule(): GcSchedule;
  /**
   * The tar of a backup of the home, which has to be read or ended; what ends in an error is none. Throws
   * `not-possible-now` while a cleanup or another backup is in progress.
   */
  backup(body: BackupBody): Promise<AsyncIterable<Uint8Array>>;

  /** Jobs that have not ended and need this plugin as their forge or tracker, oldest first. */
  jobsOfPlugin(id: string): Promise<PluginJob[]>;
  /** Every configured forge: its account, and what is left of its budget. */
  forges(): Promise<ForgeView[]>;
  /**
   * A webhook. Throws `not-found` where none are taken, `unauthorized` where it is not genuine,
   * `malformed`.
   */
  webhook(pluginId: string, delivery: Delivery): Promise<WebhookReply>;
  /** The rules by which webhooks make jobs. */
  triggers(): Promise<TriggerView[]>;
}
