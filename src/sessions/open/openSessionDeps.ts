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
import type { JobOverlays } from '../../jobs/workspace/jobOverlays.ts';
import type { RelatedArtefacts } from '../../workflows/overlay/promptContext.ts';
import type { Guardrails } from '../../policy/guardrails/guardrails.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Clock } from '../../shared/time/clock.ts';
import type { Ledger } from '../../policy/usage/ledger.ts';
import type { DiskWatch } from '../../jobs/slots/diskWatch.ts';
import type { LiveSessions } from './liveSessions.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Sandboxes } from '../../executors/sandbox/sandboxes.ts';
import type { QuotaSessionDeps } from '../limits/quotaSession.ts';
import type { SteerableRun, SteeredRun } from '../steering/steeredRun.ts';
import type { SessionLine } from './agentLines.ts';
import type { LastOutputs } from '../../jobs/views/history/lastOutputs.ts';
import type { Workplace } from '../../jobs/workspace/workplace.ts';

/**
 * What a session is given about its pull requests before it begins; never rejects for a forge that
 * does not answer.
 */
export type PrNotes = (
  jobId: string,
  session: Pick<OpenParams, 'phase' | 'session' | 'prompt'>,
) => Promise<{ preflight: string | null; gateStates: string | null }>;

export interface OpenSessionDeps {
  settings: Pick<Settings, 'llm' | 'runner' | 'home' | 'noProgress' | 'paths'>;
  workplace: Workplace;
  forges: Forges;
  trackers: Trackers;
  overlays: JobOverlays;
  sessions: LiveSessions;
  tools: ToolHost;
  sandboxes: Pick<Sandboxes, 'open'>;
  /** Writes rows that no step of a job writes; resolves when they are durable. */
  writeRows(rows: RowChange[]): Promise<void>;
  executor(id: string): Executor | undefined;
  job(jobId: string): Job;
  prNotes: PrNotes;
  /** Artefacts of other jobs that the agents of this one may read. */
  related(job: Job): readonly RelatedArtefacts[];
  /** False when the job has moved on: then nothing is run. */
  isCurrent(ref: SessionKey): boolean;
  /** What the sessions of an account have in common. */
  quota: QuotaSessionDeps;
  /** What the chart of a job knows. */
  contextOf(
    jobId: string,
  ): Pick<JobContext, 'admitted' | 'params' | 'id' | 'workflowPath' | 'interactive'>;
  /** How the phase of a job is rated when its session ends; null = not at all. */
  findRatingTerms(jobId: string): RatingTerms | null;
  /** What the decision layer says before a session: a note for its agent, and lines for the log. */
  siteNotes(session: {
    jobId: string;
    visit: number;
    session: number;
    phase: OpenParams['phase'];
    /** The workflows that jobs may run in. */
    lanes: readonly { id: string; text: string }[];
    attempt: number;
    signal: AbortSignal;
  }): Promise<{ note: string | null; lines: { tag: string; line: string }[] }>;
  /** What models have used. */
  ledger: Ledger;
  /** What jobs may spend. */
  budgets: Pick<
    Budgets,
    'begin' | 'afterCall' | 'warnings' | 'note' | 'timeLeft' | 'overTime' | 'usdLeft'
  >;
  /** Rules about what agents do. */
  guardrails: Guardrails;
  /** Whether there is room for a session. */
  disk: DiskWatch;
  clock: Clock;
  /** One run of a session with its messages. */
  steer(run: SteeredRun): SteerableRun;
  port(
    session: SessionRef & { jobDir: string; overlay: OpenOverlay; signal: AbortSignal },
  ): AgentJob;
  /** Appends lines to the job's log; resolves when they are written. Never rejects. */
  log(at: Omit<SessionRef, 'session'>, lines: readonly SessionLine[]): Promise<void>;
  /** What the agent of a session that failed wrote last. */
  lastOutputs: Pick<LastOutputs, 'lineCount' | 'changesAtEnd'>;
  /** Takes known secrets out of a text. */
  screen(text: string): string;
  /** Receives the name of a tool that an agent has called by an older name; default: ignored. */
  onDeprecatedTool?(tool: string): void;
  /** Where the runner answers, e.g. `http://127.0.0.1:3000`. */
  baseUrl(): string;
}

/** One run of the effect, with the session that it runs. */
export interface SessionOpening {
  ref: SessionRef;
  params: OpenParams;
  run: EffectRun;
}

export type OpenParams = JobPorts['session.open'];
