import type { Parked, WorkflowSwitch } from '../src/schema/job.ts';
import type { PrState } from '../src/schema/pr.ts';
import type { WorkflowTable } from '../src/schema/workflow.ts';
import type { WorkItem } from '../src/schema/workItem.ts';

/** What the agent has asked for in this session; applied when the session is over. The last of a kind wins. */
export interface Signals {
  escalate: { message: string } | null;
  await: { kinds: string[] | null; prId: string | null; resumePhase: string | null } | null;
  switch: { workflowPath: string; workflow: WorkflowTable; toPhase: string; reason: string; by: WorkflowSwitch['by'] } | null;
  goto: { phase: string; reason: string } | null;
  newSession: { prompt: string | null } | null;
}

/** What it waits for while parked on an event, and where each kind of event leads. */
export interface Awaited {
  kinds: string[] | null;
  /** A hint for people; events of every mapped PR count. */
  prId: string | null;
  /** Phase that asked; every kind but merged and closed wakes it. */
  from: string;
  /** Phase that merged and closed wake. */
  after: string;
}

/** A mapped pull request as the guards need it; the whole record is a row. */
export interface PrRef {
  prId: string;
  forge: string;
  repo: string;
  number: number;
  state: PrState;
  workItem: string | null;
}

/** Where a job goes when it leaves `queued`. */
export interface NextStep {
  phase: string;
  /** true: the same visit goes on (restart of a session); false: a new visit begins. */
  sameVisit: boolean;
  prompt: string | null;
  eventKey: string | null;
}

/**
 * Everything that the job chart's guards read, and no more: at most 64 KiB as JSON. What grows with the job's life
 * (inbox items, insights, artefacts, usage, visits) is rows.
 */
export interface JobContext {
  id: string;
  type: string;
  tenantId: string;
  workflowPath: string;
  params: Record<string, unknown>;
  interactive: boolean;
  limits: { gateBlocks: number; sessionsPerVisit: number };
  /** Null until the first visit is prepared. */
  workflow: WorkflowTable | null;
  phase: string;
  /** The phase's status, without the work item. */
  status: string;
  /** Number of the phase visit; 0 before the first. */
  visit: number;
  /** Number of the session within the visit; 0 before the first. */
  session: number;
  workItems: WorkItem[];
  prs: PrRef[];
  /** Inbox items are numbered from 1; those up to `drained` have been given to an agent. */
  inbox: { arrived: number; drained: number };
  /** Of the items not yet given to an agent: how many messages, and which kinds of PR events (each once). */
  unread: { messages: number; kinds: string[] };
  signals: Signals;
  awaited: Awaited | null;
  /** The newest plan-md artefact of this visit: what a person approves. */
  shown: { artefactId: string; sha256: string } | null;
  next: NextStep | null;
  /** Set while a session is being ended for a person. */
  stopFor: 'pause' | 'cancel' | null;
  /** What `parked.paused` goes back to. */
  pausedFrom: 'queued' | 'session' | 'event' | null;
  gateBlocks: number;
  /** Text that the next session's kickoff starts with (completion gate, request_new_session). */
  prompt: string | null;
  eventKey: string | null;
  parked: Parked | null;
  escalationMessage: string | null;
  escalationHistory: string[];
  workflowPathHistory: WorkflowSwitch[];
  /** Forge writes asked for and not yet answered, by key. */
  writes: string[];
  createdAt: number;
  /** Since when it waits for a slot; null = it does not. */
  queuedAt: number | null;
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
  limits: { gateBlocks: number; sessionsPerVisit: number };
  createdAt: number;
}
