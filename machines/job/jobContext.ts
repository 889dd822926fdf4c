import type { Parked, WorkflowSwitch } from '../../src/contract/schema/job/job.ts';
import type { PauseCause } from '../../src/contract/schema/job/parked.ts';
import type { PrState } from '../../src/contract/schema/forge/pr.ts';
import type { ChangedFiles, RatingTerms } from '../../src/contract/schema/policy/decision.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import type { WorkItem } from '../../src/contract/schema/job/workItem.ts';
import type { Fallback } from '../../src/base/agents/fallback.ts';
import type { ClosedLimit } from '../../src/base/agents/quotaKinds.ts';
import type { SessionFault } from '../../src/base/errors/sessionFaults.ts';
import type { StopReason, Setback } from '../../src/base/jobs/stopReasons.ts';
import type { LoopLimits } from '../../src/base/limits/loopLimits.ts';
import type { InvariantMonitors } from './invariantMonitors.ts';
import type { EventWait } from './eventWait.ts';
import type { Progress } from './progress.ts';
import type { UnreadInbox } from './unreadInbox.ts';
import type { SessionContinuation } from './sessionContinuation.ts';

/** What the chart needs of a visit's rating; the full record is a row. */
interface PhaseRating {
  visit: number;
  phase: string;
  /** Why the visit is flagged, for people; null = not flagged. */
  flag: string | null;
  /** The agent seemed to wait for something that it cannot resolve. */
  stuck: boolean;
  /** The flag pauses the job until a person dismisses it. */
  pauses: boolean;
}

/** What the agent asked for in this session; applied at its end. The last of each kind wins. */
export interface Signals {
  escalate: { message: string } | null;
  await: {
    kinds: string[] | null;
    prId: string | null;
    resumePhase: string | null;
    external?: string;
    followed?: string[];
  } | null;
  switch: {
    workflowPath: string;
    workflow: WorkflowTable;
    toPhase: string;
    reason: string;
    by: WorkflowSwitch['by'];
  } | null;
  goto: { phase: string; reason: string } | null;
  newSession: { prompt: string | null } | null;
}

/** What the guards need of a pull request; the full record is a row. */
export interface PrRef {
  prId: string;
  forge: string;
  repo: string;
  number: number;
  state: PrState;
  workItem: string | null;
  /** Why no news can come from it now; left out = no known reason. */
  blocked?: PrProblem;
}

/** Why no news can come from a pull request, as its watchers found. */
export interface PrProblem {
  /** A clause about the pull request. */
  why: string;
  /** Only a person who looks at the pull request can end the problem. */
  asks: boolean;
}

/** What a kickoff was given, kept until the session ends by itself; else it is given back. */
export interface KickoffContent {
  inboxFrom: number;
  unread: UnreadInbox;
  prompt: string | null;
  eventKey: string | null;
}

/**
 * What the approval rule knows about the job in its present workflow; a switch of workflow clears
 * the approvals. For homes of svc 0.2, the store's migration took it from the visits' rows.
 */
export interface Approvals {
  /**
   * Phase of the newest prepared visit; null before the first. A job that waits for an event may
   * show the phase after it.
   */
  at: string | null;
  /**
   * Whether that visit's checkpoint was approved, by a person or in advance. Before the first visit
   * after a switch, it describes the visit that switched.
   */
  given: boolean;
  /** Phases with an approved visit, newest last; at most MAX_CHECKPOINTS. */
  approved: string[];
  /**
   * Checkpoint → start of the hash of its first shown version; at most MAX_CHECKPOINTS across all
   * workflows of the job.
   */
  first: Record<string, string>;
  /** Hash over the specs of all sub-runs in order of registration; null = none registered. */
  subRuns: string | null;
}

/** Where a job goes when it leaves `queued` or begins its next visit within `working`. */
export interface NextStep {
  phase: string;
  /** true: the same visit continues (restart of a session); false: a new visit begins. */
  sameVisit: boolean;
  prompt: string | null;
  eventKey: string | null;
  /** Set after a setback: the agent's conversation continues if its executor can. */
  setback?: Setback;
  /** The event that woke the job, with its pull request or ticket if known. */
  wokenBy?: string;
}

/**
 * Everything that the guards read; at most 64 KiB as JSON. What grows over the job's life (inbox
 * items, insights, artefacts, usage, visits) is stored in rows.
 */
export interface JobContext {
  id: string;
  type: string;
  tenantId: string;
  workflowPath: string;
  params: Record<string, unknown>;
  interactive: boolean;
  /** `progress`: left out = the defaults. */
  limits: { gateBlocks: number; sessionsPerVisit: number; progress?: LoopLimits };
  /** As checked at creation; each visit's preparation replaces it. */
  workflow: WorkflowTable;
  phase: string;
  /** The phase's status, without the work item. */
  status: string;
  /** Number of the phase visit; 0 before the first. */
  visit: number;
  /** Number of the session within the visit; 0 before the first. */
  session: number;
  /** New sessions asked for in this visit; at most limits.sessionsPerVisit. */
  newSessions: number;
  /** True from the start of a visit until its row records how it ended. */
  visitOpen: boolean;
  /** The work item that was current when the visit began; goto_phase counts a loop only for it. */
  visitItem: string | null;
  workItems: WorkItem[];
  prs: PrRef[];
  /** Inbox items are numbered from 1; those up to `drained` have been given to an agent. */
  inbox: { arrived: number; drained: number };
  unread: UnreadInbox;
  signals: Signals;
  /** How the session being settled ended; null = the visit had none. */
  stop: SessionStop | null;
  /** What the running session continues; null = it begins afresh. */
  continued: SessionContinuation | null;
  /**
   * Setbacks of this visit in a row without progress. `outages`: waits of its preparation until it
   * succeeds; `faults`: waits after session errors. Left out = 0.
   */
  setbacks: { deaths: number; quotas: number; outages?: number; faults?: number };
  given: KickoffContent | null;
  awaited: EventWait | null;
  /**
   * The newest plan-md artefact of this visit (or of the one before a visit without agent), which a
   * person approves.
   */
  shown: { artefactId: string; sha256: string } | null;
  approvals: Approvals;
  next: NextStep | null;
  /** Set while a session is being ended for a pause or cancel. */
  stopFor: 'pause' | 'cancel' | null;
  /** Where the job was before `parked.paused`, and returns to. */
  pausedFrom: 'queued' | 'session' | 'judging' | 'event' | 'external' | 'subRuns' | null;
  /** What paused the job; left out = a person paused this job alone. */
  pauseCause?: PauseCause | undefined;
  /**
   * Whether the next session may begin, until it ends or the job parks for something else. `pool`:
   * the account allows it unless it meets a new limit; `probe`: the same, for the job that tests
   * the limit; true: a person resumed it, whatever the account says. Left out = no.
   */
  admitted?: boolean | 'pool' | 'probe' | undefined;
  /**
   * What its phases use in place of an alias, until its next wait for a slot; left out = nothing.
   */
  fallback?: Fallback | undefined;
  gateBlocks: number;
  /** Text that the next session's kickoff starts with (completion gate, request_new_session). */
  prompt: string | null;
  eventKey: string | null;
  parked: Parked | null;
  escalationMessage: string | null;
  escalationHistory: string[];
  workflowPathHistory: WorkflowSwitch[];
  /** What the job must know of its sub-runs; null = none registered. */
  subRuns: SubRunsPart | null;
  /** Visit in which finalize_sub_runs was accepted; it registers nothing more. */
  finalizedIn: number | null;
  /** How many sub-runs had failed or escalated when all had last ended. */
  subRunFailures: { failed: number; escalated: number };
  /** The parent to tell of the job's end, and which run this is; null = no sub-run. */
  subRunOf: SubRunOf | null;
  /** The newest rating of a visit; left out = none. */
  judged?: PhaseRating | undefined;
  /** Keys of forge writes that are not answered yet. */
  writes: string[];
  /** Loops without progress; left out = nothing is known yet. */
  progress?: Progress | undefined;
  /** What the rules of its workflow remember; left out = no rules, or nothing has happened. */
  monitors?: InvariantMonitors | undefined;
  createdAt: number;
  /** Since when the job waits for a slot, epoch ms; null = it does not wait. */
  queuedAt: number | null;
}

/** How a session ended. For `quota` and `fault` see `session.ended`. */
export interface SessionStop {
  reason: StopReason;
  error: string | null;
  fault?: SessionFault;
  resetsAt?: number | null;
  quota?: ClosedLimit;
  pool?: string;
  /** The budget, or the low disk (as a clause), for which the runner ended the session. */
  budget?: Exceeded;
  disk?: string;
  /** How the decision layer rates the phase; left out = it does not. */
  judge?: RatingTerms;
  changed?: ChangedFiles;
  /** The rule for which the job waits for a person, in words. */
  held?: string;
}

/**
 * `dispatched`: the dispatcher has them; `settled`: all ended and resumePhase must still run;
 * `over`: resumePhase has run or the job ended; `reopened`: one must run again, so the job waits
 * again.
 */
export type SubRunsPart =
  | 'collecting'
  | 'finalized'
  | 'dispatched'
  | 'settled'
  | 'over'
  | 'reopened';

export interface SubRunOf {
  parentJobId: string;
  name: string;
  attempt: number;
}

/** Input of a new job's chart, already checked. */
export interface JobInput {
  id: string;
  type: string;
  tenantId: string;
  workflowPath: string;
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  interactive: boolean;
  limits: { gateBlocks: number; sessionsPerVisit: number; progress?: LoopLimits };
  createdAt: number;
  subRunOf?: SubRunOf;
  /**
   * The phase in which the job waits for sub-runs that are already finalized. Default: the
   * workflow's initial phase.
   */
  beginsIn?: string;
  /** Hash over the specs of these, see {@link Approvals.subRuns}. */
  specs?: string;
}
