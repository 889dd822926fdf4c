import type { SessionBacklog } from '../../base/concurrency/backlog.ts';
import type { JobContext, JobPorts } from '../../../machines/index.ts';
import type { SessionKey, SessionRef } from '../../contract/session/sessionRef.ts';
import type { EffectRun } from '../../kernel/port.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import type { RatingTerms } from '../../contract/schema/policy/decision.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { AgentJob } from '../../contract/job/agentJob.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Forges } from '../../providers/forges.ts';
import type { Trackers } from '../../providers/trackers.ts';
import type { ToolHost } from '../../executors/tools/host/createToolHost.ts';
import type { RelatedArtefacts } from '../../workflows/overlay/promptContext.ts';
import type { Guardrails } from '../../policy/guardrails/guardrails.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Ledger } from '../../policy/usage/ledger.ts';
import type { DiskWatch } from '../../jobs/slots/diskWatch.ts';
import type { Checkouts } from '../../jobs/workspace/checkouts/checkouts.ts';
import type { LiveSessions } from './liveSessions.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Sandboxes } from '../../executors/sandbox/sandboxes.ts';
import type { QuotaSessionDeps } from '../limits/quotaSession.ts';
import type { SteerableRun, SteeredRun } from '../steering/steeredRun.ts';
import type { SessionLine } from './agentLines.ts';
import type { LastOutputs } from '../../jobs/views/history/lastOutputs.ts';
import type { SessionPlaceDeps } from '../prepare/makeWorkplace.ts';
import type { WorkInProgress } from '../../jobs/workspace/workInProgress.ts';

/** Notes about pull requests for a new session; never rejects if a forge does not answer. */
export type PrNotes = (
  jobId: string,
  session: Pick<OpenParams, 'phase' | 'session' | 'prompt'>,
) => Promise<{ preflight: string | null; gateStates: string | null }>;

export interface OpenSessionDeps extends SessionPlaceDeps {
  settings: Pick<Settings, 'llm' | 'runner' | 'home' | 'noProgress' | 'paths'>;
  forges: Forges;
  trackers: Trackers;
  sessions: LiveSessions;
  tools: ToolHost;
  /** What waits for the control plane. */
  backlog: SessionBacklog;
  sandboxes: Pick<Sandboxes, 'open'>;
  checkouts: Pick<Checkouts, 'forgetSetup' | 'isReady' | 'listSharedFolders'>;
  workInProgress: Pick<WorkInProgress, 'save'>;
  /** Writes rows outside the job's steps; resolves when they are durable. */
  writeRows(rows: RowChange[]): Promise<void>;
  executor(id: string): Executor | undefined;
  job(jobId: string): Job;
  prNotes: PrNotes;
  /** Artefacts of other jobs that this job's agents may read. */
  listRelated(job: Job): readonly RelatedArtefacts[];
  /** False when the job has moved on: then nothing is run. */
  isCurrent(ref: SessionKey): boolean;
  quota: QuotaSessionDeps;
  readContext(
    jobId: string,
  ): Pick<JobContext, 'admitted' | 'params' | 'id' | 'workflowPath' | 'interactive'>;
  /** How the job's phase is rated when its session ends; null = not at all. */
  findRatingTerms(jobId: string): RatingTerms | null;
  /** Notes of the decision layer before a session: for its agent and for the log. */
  siteNotes(session: {
    jobId: string;
    visit: number;
    session: number;
    phase: OpenParams['phase'];
    lanes: readonly { id: string; text: string }[];
    attempt: number;
    signal: AbortSignal;
  }): Promise<{ note: string | null; lines: { tag: string; line: string }[] }>;
  ledger: Ledger;
  budgets: Pick<
    Budgets,
    'begin' | 'findStopAfterCall' | 'warnings' | 'note' | 'timeLeft' | 'findStopByTime' | 'usdLeft'
  >;
  guardrails: Guardrails;
  disk: DiskWatch;
  clock: Clock;
  steer(run: SteeredRun): SteerableRun;
  port(
    session: SessionRef & { jobDir: string; overlay: OpenOverlay; signal: AbortSignal },
  ): AgentJob;
  /** Appends lines to the job's log; resolves when they are written. Never rejects. */
  log(at: Omit<SessionRef, 'session'>, lines: readonly SessionLine[]): Promise<void>;
  lastOutputs: Pick<LastOutputs, 'lineCount' | 'changesAtEnd'>;
  screen(text: string): string;
  /** Receives the older name with which an agent called a tool; default: ignored. */
  onDeprecatedTool?(tool: string): void;
  /** The runner's URL, e.g. `http://127.0.0.1:3000`. */
  baseUrl(): string;
}

export interface SessionOpening {
  ref: SessionRef;
  params: OpenParams;
  run: EffectRun;
}

export type OpenParams = JobPorts['session.open'];
