import type { Parked, WorkflowSwitch } from '../../src/contract/schema/job/job.ts';
import type { PauseCause } from '../../src/contract/schema/job/pauseCause.ts';
import type { PrState } from '../../src/contract/schema/forge/pr.ts';
import type { ChangedFiles, RatingTerms } from '../../src/contract/schema/policy/decision.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import type { WorkItem } from '../../src/contract/schema/job/workItem.ts';
import type { Fallback } from '../../src/shared/agents/fallback.ts';
import type { ClosedLimit } from '../../src/shared/agents/quotaKinds.ts';
import type { SessionFault } from '../../src/shared/errors/sessionFaults.ts';
import type { StopReason, Setback } from '../../src/shared/jobs/stopReasons.ts';
import type { LoopLimits } from '../../src/shared/limits/loopLimits.ts';
import type { InvariantMonitors } from './invariantMonitors.ts';
import type { EventWait } from './eventWait.ts';
import type { Progress } from './progress.ts';
import type { UnreadInbox } from './unreadInbox.ts';
import type { SessionContinuation } from './sessionContinuation.ts';

/** What the chart has to know of the rating of a visit; the whole record is a row. */
interface PhaseRating {
  visit: number;
  phase: string;
  /** Why the visit is flagged, for people; null = it is not. */
  flag: string | null;
  /** The agent looked as if it waited for something that it cannot resolve. */
  stuck: boolean;
  /** The flag is one that pauses the job, until a person dismisses it. */
  pauses: boolean;
}

/**
 * What the agent has asked for in this session; applied when the session is over. The last of a
 * kind wins.
 */
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

/** A mapped pull request as the guards need it; the whole record is a row. */
export interface PrRef {
  prId: string;
  forge: string;
  repo: string;
  number: number;
  state: PrState;
  workItem: string | null;
  /** Why nothing comes from it now; left out = nothing is known. */
  blocked?: PrProblem;
}

/** Why nothing can come from a pull request, as those who watch it have found. */
export interface PrProblem {
  /** A clause about the pull request. */
  why: string;
  /** It does not pass without a person who looks at this pull request. */
  asks: boolean;
}

/**
 * What a session's kickoff was given. Kept until the session ends by itself: one that is cut short
 * gives it back.
 */
export interface KickoffContent {
  inboxFrom: number;
  unread: UnreadInbox;
  prompt: string | null;
  eventKey: string | null;
}

/**
 * What the rule about approvals knows of the job in its present workflow; a switch to another
 * workflow clears what was approved. What was written in a home of svc 0.2 was taken from the rows
 * of visits by the migration of the store.
 */
export interface Approvals {
  /**
   * Phase of the newest visit that was prepared; null before the first. A job that waits for an
   * event may show the phase after it.
   */
  at: string | null;
  /**
   * The checkpoint of that visit was approved, by a person or in advance; before the first visit
   * after a switch, that of the visit that switched.
   */
  given: boolean;
  /** Phases of which a visit was approved, newest last; at most MAX_CHECKPOINTS. */
  approved: string[];
  /**
   * Name of a checkpoint → start of the hash of the first version shown there; at most
   * MAX_CHECKPOINTS, of all workflows of the job.
   */
  first: Record<string, string>;
  /**
   * Hash over the specs of all sub-runs in the order of their registration; null = none is
   * registered.
   */
  subRuns: string | null;
}

/** Where a job goes when it leaves `queued` or, within `working`, begins its next visit. */
export interface NextStep {
  phase: string;
  /** true: the same visit continues (restart of a session); false: a new visit begins. */
  sameVisit: boolean;
  prompt: string | null;
  eventKey: string | null;
  /**
   * Set when the same visit continues after a setback: the agent's conversation continues where its
   * executor can.
   */
  setback?: Setback;
  /** The event that woke the job, with its pull request or ticket where it is known. */
  wokenBy?: string;
}

/**
 * Everything that the job chart's guards read, and no more: at most 64 KiB as JSON. What grows with
 * the job's life (inbox items, insights, artefacts, usage, visits) is rows.
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
  /** As checked when the job was made; replaced by what each visit's preparation resolved. */
  workflow: WorkflowTable;
  phase: string;
  /** The phase's status, without the work item. */
  status: string;
  /** Number of the phase visit; 0 before the first. */
  visit: number;
  /** Number of the session within the visit; 0 before the first. */
  session: number;
  /**
   * New sessions asked for in this visit, by request_new_session or pause_turn; at most
   * limits.sessionsPerVisit.
   */
  newSessions: number;
  /** True from the start of a visit until its row records how it ended. */
  visitOpen: boolean;
  /**
   * The work item that was current when the visit began: goto_phase counts a loop only for that
   * one.
   */
  visitItem: string | null;
  workItems: WorkItem[];
  prs: PrRef[];
  /** Inbox items are numbered from 1; those up to `drained` have been given to an agent. */
  inbox: { arrived: number; drained: number };
  unread: UnreadInbox;
  signals: Signals;
  /** How the session that is being settled ended; null where the visit had none. */
  stop: SessionStop | null;
  /** What the session that runs continues; null = it begins afresh. */
  continued: SessionContinuation | null;
  /**
   * Setbacks of this visit in a row, without progress in between. `outages`: waits of its
   * preparation, until it succeeds; `faults`: waits after errors of its sessions. Left out = 0.
   */
  setbacks: { deaths: number; quotas: number; outages?: number; faults?: number };
  given: KickoffContent | null;
  awaited: EventWait | null;
  /**
   * The newest plan-md artefact of this visit (or of the one before a visit without agent): what a
   * person approves.
   */
  shown: { artefactId: string; sha256: string } | null;
  approvals: Approvals;
  next: NextStep | null;
  /** Set while a session is being ended for a person. */
  stopFor: 'pause' | 'cancel' | null;
  /** What `parked.paused` goes back to. */
  pausedFrom: 'queued' | 'session' | 'judging' | 'event' | 'external' | 'subRuns' | null;
  /** What pauses it, where no person has paused this job alone; left out = one has. */
  pauseCause?: PauseCause | undefined;
  /**
   * Its next session may begin, until that has ended or the job rests for something else: `pool` =
   * its account takes requests again, and lets it begin as long as no new limit is met; `probe` = the
   * same of the job that tries whether the limit is over; true = a person has resumed it, whatever
   * the account says. Left out = no.
   */
  admitted?: boolean | 'pool' | 'probe' | undefined;
  /**
   * What its phases use in place of an alias, until it waits for a slot to begin a visit;
   * left out = nothing.
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
  /** The state of its sub-runs, as far as the job has to know it; null = it has registered none. */
  subRuns: SubRunsPart | null;
  /**
   * Visit in which finalize_sub_runs was taken: until that visit is over nothing more is
   * registered.
   */
  finalizedIn: number | null;
  /** How many sub-runs had failed or escalated when all of them had ended for the last time. */
  subRunFailures: { failed: number; escalated: number };
  /** Set when this job is a sub-run: whom it tells of its end, and as which run of it. */
  subRunOf: SubRunOf | null;
  /** What the decision layer has made of the newest visit that it rated; left out = none. */
  judged?: PhaseRating | undefined;
  /** Forge writes asked for and not yet answered, by key. */
  writes: string[];
  /** Loops without progress; left out = nothing is known yet. */
  progress?: Progress | undefined;
  /** What the rules of its workflow remember; left out = it has none, or nothing has happened. */
  monitors?: InvariantMonitors | undefined;
  createdAt: number;
  /** Since when it waits for a slot; null = it does not. */
  queuedAt: number | null;
}

/** How a session ended; the rest with `quota`, and `fault`: see `session.ended`. */
export interface SessionStop {
  reason: StopReason;
  error: string | null;
  fault?: SessionFault;
  resetsAt?: number | null;
  quota?: ClosedLimit;
  pool?: string;
  /** The budget, or the low disk as a clause, for which the runner ended it. */
  budget?: Exceeded;
  disk?: string;
  /** The decision layer is to rate the phase. */
  judge?: RatingTerms;
  changed?: ChangedFiles;
  /** The rule for which the job waits for a person, in words. */
  held?: string;
}

/**
 * `dispatched`: handed over to the dispatcher; `settled`: all of them have ended and resumePhase is
 * still to run; `over`: it has run, or the job has ended; `reopened`: one of them is to run again,
 * and the job goes back to waiting.
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

/** Input of a new job's chart; everything checked before. */
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
  /** Given when the job is a sub-run. */
  subRunOf?: SubRunOf;
  /**
   * Default: the workflow's initial phase. Else the phase in which the job waits for sub-runs that
   * are finalized already.
   */
  beginsIn?: string;
  /** Hash over the specs of these, see {@link Approvals.subRuns}. */
  specs?: string;
}
