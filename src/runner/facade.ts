import type { CreatedJob, CreateJobBody, CommandReply, ResumeBody } from '../schema/bodies.ts';
import type { Insight, Job, JobSummary } from '../schema/job.ts';
import type { PrComment, PrStatus } from '../scm/forge.ts';
import type { WorkflowEntry } from '../schema/workflow.ts';
import type { FrameRow, JournalRow } from '../durable/writer.ts';
import type { WhatIf, Why } from '../durable/questions.ts';

/** Filter of GET /jobs. `status` matches a whole status or the part before `:`; `campaignParentId` is the older name of `parentJobId`. */
export interface JobFilter {
  status?: string;
  type?: string;
  parentJobId?: string;
  campaignParentId?: string;
  limit: number;
  offset: number;
}

/** A command's double-submit protection: the Idempotency-Key header and the sha256 of route and body. */
export interface RequestKey {
  key: string;
  bodyHash: string;
}

/** A reader of a job's stream. */
export interface FrameSink {
  /** Frames in order, each once; also those of the past that were asked for. Must not throw. */
  frames(frames: readonly FrameRow[]): void;
  /** Last word: the job has ended and all is sent, or the runner stops. */
  bye(reason: 'ended' | 'stopping'): void;
}

/** The chart of a job and where it stands: enough for somebody else to draw it. */
export interface MachineView {
  chart: string;
  version: number;
  /** XState's machine definition as JSON: nested states, transitions, eventless arrows, guards, effects, tags, meta. */
  definition: unknown;
  /** Dotted paths of the current states. */
  state: string[];
  /** Event types that could be taken now. */
  accepts: string[];
}

/**
 * Everything that the outside (HTTP, and through it CLI and dashboard) can ask of the runner. Throws SvcError with a
 * code of the table: `not-found`, `not-possible-now` (with data.state and data.accepts), `invalid`, `conflict`, …
 */
export interface Runner {
  health(): {
    status: 'ok' | 'stopping';
    version: string;
    mode: 'local';
    startedAt: string;
    jobs: { live: number; parked: number; ended: number };
    /** Older names that clients of this home still use. */
    deprecatedUses: { name: string; instead: string; uses: number; lastUsedAt: string }[];
  };

  createJob(body: CreateJobBody, request?: RequestKey): Promise<CreatedJob>;
  jobs(filter: JobFilter): { jobs: JobSummary[]; total: number };
  job(id: string): Job;
  resume(id: string, body: ResumeBody, request?: RequestKey): Promise<CommandReply>;
  cancel(id: string, reason: string | null, request?: RequestKey): Promise<CommandReply>;
  pause(id: string, request?: RequestKey): Promise<CommandReply>;
  message(id: string, message: string, request?: RequestKey): Promise<CommandReply>;
  rerun(id: string, phase: string, request?: RequestKey): Promise<CommandReply>;

  insights(id: string): Insight[];
  removeInsight(id: string, insightId: string): Promise<void>;
  /** Where the bytes are, and what they are. */
  artefact(id: string, artefactId: string): { path: string; mime: string; size: number; title: string; sha256: string };

  why(id: string): Why;
  whatIf(id: string, event: { type: string; [key: string]: unknown }): WhatIf;
  machine(id: string): MachineView;
  journal(id: string, after: number, limit: number): JournalRow[];
  /** Number of the job's last frame; 0 = it has none yet. */
  lastFrame(id: string): number;
  /** Sends frames after number `after` and then live ones, until the returned function is called. */
  subscribe(id: string, after: number, sink: FrameSink): () => void;

  workflows(): Promise<WorkflowEntry[]>;

  forgeRepos(): { slug: string; path: string; defaultBranch: string }[];
  pullRequests(repo: string): PrStatus[];
  pullRequest(repo: string, number: number): Promise<PrStatus & { thread: PrComment[] }>;
  pullRequestDiff(repo: string, number: number): Promise<string>;
  approvePullRequest(repo: string, number: number, author: string, request?: RequestKey): Promise<PrStatus>;
  commentPullRequest(repo: string, number: number, author: string, body: string, request?: RequestKey): Promise<PrStatus>;
  mergePullRequest(repo: string, number: number, author: string, request?: RequestKey): Promise<PrStatus>;
}
