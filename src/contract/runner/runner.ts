import type { CreatedJob, CreateJobBody } from '../schema/api/bodies.ts';
import type { JobCountsQuery } from '../schema/api/queries.ts';
import type { JobCounts, JournalEntry, WhatIfReply } from '../schema/api/replies.ts';
import type { PictureQuery, ResolvedThread } from '../schema/forge/review.ts';
import type { BrokenRow } from '../schema/job/brokenRow.ts';
import type { JobSummary } from '../schema/job/job.ts';
import type { LogMatches, LogPage, LogQuery, LogSearchQuery } from '../schema/job/jobLog.ts';
import type { SubRunWhatIf, SubRunWhatIfBody } from '../schema/job/subRun.ts';
import type { DryRunBody, DryRunReply } from '../schema/policy/dryRun.ts';
import type { Estimate } from '../schema/policy/estimate.ts';
import type { BackupBody } from '../schema/runner/backup.ts';
import type { Caller } from '../schema/runner/caller.ts';
import type { FileQuery, IntelligenceFile, WrittenFile } from '../schema/workflow/intelligence.ts';
import type { Machine } from '../schema/workflow/machine.ts';
import type { WorkflowEntry } from '../schema/workflow/workflow.ts';
import type { DeprecatedName } from '../../base/settings/deprecatedNames.ts';
import type { Delivery, WebhookAnswer } from '../forge/hook.ts';
import type { HeadedDiff, Picture } from '../forge/review.ts';
import type { RequestKey } from '../job/requestKey.ts';
import type { AsyncRunnerMethods, RunnerMethods } from './runnerMethods.ts';

/** Says which stored rows could not be read while something was done. */
export interface BrokenRowNotes {
  /** Runs something; `met`, asked when that is over: the rows that it met and left out. */
  collectBroken<T>(run: () => T): { value: T; listMet: () => BrokenRow[] };
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

/** Routes that the runner answers from memory and committed rows, without a promise. */
type AnsweredAtOnce =
  | ('health' | 'gcSchedule' | 'budgets' | 'accounts')
  | ('job' | 'messages' | 'insights' | 'timeline' | 'reviews' | 'why' | 'campaign')
  | ('guardrailDecisions' | 'decisions' | 'proposals' | 'workflowRuns')
  | ('intelligenceHistory' | 'intelligenceVersion');

type AnsweredLater =
  // Commands to a job or a sub-run, and what else changes jobs.
  | ('resume' | 'cancel' | 'pause' | 'stopAll' | 'message' | 'rerun' | 'dismiss' | 'undismiss')
  | ('snooze' | 'unsnooze')
  | ('skipSubRun' | 'unskipSubRun' | 'rerunSubRun' | 'cancelSubRun')
  | ('removeInsight' | 'promoteInsight' | 'gc')
  // Questions.
  | (
      | 'sinceSuccess'
      | 'statistics'
      | 'report'
      | 'costs'
      | 'searchInsights'
      | 'machine'
      | 'mcpServers'
      | 'inheritedMcps'
    )
  | ('triggers' | 'forges' | 'pluginJobs')
  | ('schedules' | 'runSchedule' | 'resumeSchedule')
  // What jobs may do and spend, and how it was rated.
  | ('setBudget' | 'retryAccount' | 'guardrails' | 'allowGuardrail')
  | ('trackRecord' | 'labelDecision' | 'replayDecision')
  | ('proposal' | 'approveProposal' | 'rejectProposal' | 'applyProposal')
  // Pull requests of jobs on every forge, and those of the local one.
  | ('jobPullRequest' | 'reviewPullRequest' | 'approveInSvc')
  | ('forgeRepos' | 'pullRequests' | 'pullRequest' | 'approvePullRequest' | 'commentPullRequest')
  | ('mergePullRequest' | 'closePullRequest' | 'reopenPullRequest')
  // For authors of workflows and agents.
  | ('preflight' | 'intelligenceLayers' | 'mergedFile');

/** Their handlers first refuse what a member of the team may not ask. */
type CheckedForMembers = 'lintWorkflow' | 'simulateWorkflow';

/**
 * Routes that the runner answers by a method of the same name, with the arguments and the reply of the table. Every
 * other route has a handler in `src/api/server/handlers/`.
 */
export type RunnerRoute = AnsweredAtOnce | AnsweredLater;

/**
 * Everything that the outside (HTTP, and through it CLI and dashboard) can ask of the runner. Written out here are the
 * methods that handlers call with something else than what the request has. All throw SvcError with a code of the table:
 * `not-found`, `not-possible-now` (with data.state and data.accepts), `invalid`, `conflict`, …
 */
export interface Runner
  extends RunnerMethods<AnsweredAtOnce>,
    AsyncRunnerMethods<AnsweredLater | CheckedForMembers> {
  /** `person`: the member of the team who asks; left out = no name is known. */
  createJob(body: CreateJobBody, request?: RequestKey, person?: string): Promise<CreatedJob>;
  /** What a job of this request may use; nothing is made. Throws what `createJob` would. */
  estimateJob(body: CreateJobBody): Promise<Estimate>;
  jobs(filter: JobFilter): Promise<{ jobs: JobSummary[]; total: number }>;
  jobCounts(selection: JobSelection): Promise<JobCounts>;
  /**
   * Calls back with every job that a commit has changed, as it is then, until the returned function
   * is called.
   */
  watchJobs(changed: (jobs: readonly JobSummary[]) => void): () => void;
  /** What skip, unskip, rerun or cancel of one sub-run would change; nothing happens. */
  subRunWhatIf(id: string, name: string, body: SubRunWhatIfBody): SubRunWhatIf;
  /** Reruns a sub-run that has ended; one that waits for its turn or runs stays as it is. */
  beginSubRun: Runner['rerunSubRun'];
  /**
   * Counts a use of an older name, so that it can be removed once it is unused; `own`: by svc's own
   * command line.
   */
  noteDeprecatedUse(name: DeprecatedName, own?: boolean): void;

  /** Where the bytes are, and what they are. */
  artefact(
    id: string,
    artefactId: string,
  ): Promise<{ path: string; mime: string; size: number; title: string; sha256: string }>;

  whatIf(id: string, event: { type: string; [key: string]: unknown }): WhatIfReply;
  /** Every chart that runs here, and the workflows of base and tenant layer that have no error. */
  machines(): Promise<Machine[]>;
  journal(id: string, after: number, limit: number): JournalEntry[];
  /** Neighbouring lines of the log. Throws `not-found`. */
  log(id: string, query: LogQuery): LogPage;
  /** Ends early when `signal` is aborted. Throws `not-found`. */
  searchLog(id: string, query: LogSearchQuery, signal: AbortSignal): Promise<LogMatches>;
  /** The log as plain text, line by line. Throws `not-found` when it is called. */
  logText(id: string, signal: AbortSignal): AsyncIterable<string>;
  /** Number of the job's last frame; 0 = it has none yet. */
  readLastFrame(id: string): number;
  /**
   * Sends frames after number `after` and then live ones, until the returned function is called.
   */
  subscribe(id: string, after: number, sink: FrameSink): () => void;

  workflows(): Promise<WorkflowEntry[]>;
  /**
   * The tar of a backup of the home, which has to be read or ended; what ends in an error is none. Throws
   * `not-possible-now` while a cleanup or another backup is in progress.
   */
  backup(body: BackupBody): Promise<AsyncIterable<Uint8Array>>;
  /**
   * What a rule would do, or would have done; nothing is kept. Rejects with the signal's reason once
   * it is aborted. Throws `not-found`, and `invalid` for a candidate that is no rule.
   */
  dryRunGuardrail(body: DryRunBody, signal: AbortSignal): Promise<DryRunReply>;
  /**
   * A webhook. A challenge of its sender is answered and leaves no trace. Throws `not-found` where none are taken,
   * `unauthorized` where it is not genuine, `malformed`.
   */
  webhook(pluginId: string, delivery: Delivery): Promise<WebhookAnswer>;

  /** Throws `not-found`, what the forge throws, and `not-possible-now` for a branch that is pushed to all the time. */
  jobPullRequestDiff(id: string, prId: string): Promise<HeadedDiff>;
  /**
   * A picture of the pull request before or after its changes, from this disk alone. Throws
   * `bad-argument` for what is no picture, `too-large`, `not-found`.
   */
  jobPicture(id: string, prId: string, query: PictureQuery): Promise<Picture>;
  setReviewThread(
    id: string,
    prId: string,
    threadId: string,
    resolved: boolean,
  ): Promise<ResolvedThread>;
  pullRequestDiff(repo: string, number: number): Promise<string>;

  /** Throws `bad-argument`, `not-found`. */
  intelligenceFile(query: FileQuery): Promise<{ etag: string; file: IntelligenceFile }>;
  /**
   * `by`: how the request came in; default open.
   *
   * Writes a markdown file of the tenant layer in the place of version `ifMatch`; null = there is
   * none yet. Throws `bad-argument`, `forbidden` for a link, `not-possible-now` without a tenant
   * folder, `precondition-required`, `precondition-failed`, `workflow-invalid` with the
   * diagnostics, `store-failed`; the file is then as it was.
   */
  writeIntelligenceFile(
    path: string,
    text: string,
    ifMatch: string | null,
    by?: Caller,
  ): Promise<{ etag: string; diagnostics: WrittenFile['diagnostics'] }>;
  /** Throws the same, and `not-found`. */
  removeIntelligenceFile(path: string, ifMatch: string | null, by?: Caller): Promise<void>;
}
