import type { ClosedLimit } from '../../src/base/agents/quotaKinds.ts';
import type { SessionFault } from '../../src/base/errors/sessionFaults.ts';
import type { StopReason } from '../../src/base/jobs/stopReasons.ts';
import type {
  PhaseDefinition,
  WorkflowTable,
} from '../../src/contract/schema/workflow/workflow.ts';
import type {
  ChangedFiles,
  CommittedRating,
  RatingTerms,
} from '../../src/contract/schema/policy/decision.ts';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import type { PrMapping } from '../../src/contract/schema/forge/pr.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import type { Usage } from '../../src/contract/schema/session/usage.ts';
import type { RatingFacts } from './rules/collectRatingFacts.ts';
import type { FailingTests } from './progress.ts';
import type { SessionContinuation } from './sessionContinuation.ts';
import type { UnreadInbox } from './unreadInbox.ts';

/**
 * The acts on the outside world that the job's chart may ask for: name → input. Each has its own
 * file; `src/host/runner/providePorts.ts` joins them and does not compile if one is missing.
 */
export interface JobPorts {
  /**
   * Makes the job's folder and checkout, writes the overlay for this visit as files and lints the
   * workflow. Answers `phase.prepared`, `phase.unprepared` (a person must repair something first)
   * or `phase.postponed` (a disk is low).
   */
  'phase.prepare': {
    visit: number;
    phase: string;
    workflowPath: string;
    params: Record<string, unknown>;
  };
  /**
   * Runs one agent session to its end. Answers `session.ended`, preceded by `message.acknowledged`
   * for messages that were read but not yet stored as such.
   */
  'session.open': {
    visit: number;
    session: number;
    phase: PhaseDefinition;
    workflowPath: string;
    /**
     * The kickoff gets inbox items (from, to] and later messages as one chronological batch. The
     * answer's `left` counts what did not fit.
     */
    inboxFrom: number;
    inboxTo: number;
    /** What the chart tells the agent, such as why it may not complete; null = nothing. */
    prompt: string | null;
    /** What resumed or woke the job for this session: key of a resume or event. */
    eventKey: string | null;
    /** The sessions of this visit that it continues; left out = none. */
    continued?: SessionContinuation;
  };
  /**
   * Gives message `id`, inbox item `n`, to the running session. Answers nothing: `message.*` events
   * report what becomes of it. Does nothing if the session is over.
   */
  'message.offer': { visit: number; session: number; n: number; id: string };
  /**
   * Asks the session to end; its `session.open` then answers `interrupted`. Answers nothing itself,
   * and does nothing if the session is over.
   */
  'session.stop': { visit: number; session: number; why: 'pause' | 'cancel' };
  /**
   * Asks the decision layer to rate the phase. Always answers `phase.judged`, soon after
   * `terms.timeoutMs` at the latest.
   */
  'phase.judge': {
    visit: number;
    session: number;
    phase: PhaseDefinition;
    workflowPath: string;
    terms: RatingTerms;
    facts: RatingFacts;
  };
  /**
   * One write to a forge or tracker. Answers `forge.wrote`. `key` is unique within the job. `at`
   * (epoch ms): when a tool asked, so that a repeat after a crash makes the same commit.
   */
  'forge.write': {
    key: string;
    forge: string;
    operation: string;
    args: Record<string, unknown>;
    at: number;
  };
}

/** Unread inbox items after number `from`. */
export interface LeftoverItems extends UnreadInbox {
  from: number;
}

export type JobAnswer =
  | {
      type: 'phase.prepared';
      visit: number;
      workflow: WorkflowTable;
      overlayHash: string;
      /** Hash of the layers kept for the next visit; left out = they were not kept. */
      layers?: string;
      /** null = the job has no repository. */
      checkout: { dir: string; absDir: string } | null;
    }
  /** `retry`: the job retries by itself; left out = a person must continue it. */
  | {
      type: 'phase.unprepared';
      visit: number;
      message: string;
      diagnostics: Diagnostic[];
      retry?: true;
    }
  /** Nothing was done. `disk`: the low disk, as a clause. */
  | { type: 'phase.postponed'; visit: number; disk: string }
  | {
      type: 'session.ended';
      visit: number;
      session: number;
      stopReason: StopReason;
      /** The reason of an error, limit, quota or death; null otherwise. */
      error: string | null;
      usage: Usage | null;
      /** Inbox items that did not fit into the kickoff; left out = all fit. */
      left?: LeftoverItems;
      /** With `quota`: when requests are accepted again, epoch ms; null or left out = unknown. */
      resetsAt?: number | null;
      /** With `quota`: the limit; left out = an exhausted one. */
      quota?: ClosedLimit;
      /** The budget for which the runner ended the session; left out = none. */
      budget?: Exceeded;
      /**
       * With `error`: its origin, which decides what becomes of the job; left out = the agent's
       * program, which fails the job.
       */
      fault?: SessionFault;
      /** The low disk for which the runner ended the session, as a clause; left out = none. */
      disk?: string;
      /** With `quota`: the account that wakes the job; left out = unknown. */
      pool?: string;
      /** The rule for which the job waits for a person, and what to do; left out = none. */
      held?: { rule: string; text: string };
      /** Hash of the files after the session; left out = unknown. */
      work?: string;
      /** What failed in the last test run that the session showed; left out = nothing or no run. */
      failing?: FailingTests;
      /** How the decision layer rates the phase; left out = it is off. */
      judge?: RatingTerms;
      /** With `judge`: how the files differ from the base; left out = unknown. */
      changed?: ChangedFiles;
    }
  | { type: 'phase.judged'; visit: number; session: number; judgement: CommittedRating }
  /** `pr`: the pull request written to, if known. `result` of a failure: `error` and `code`. */
  | {
      type: 'forge.wrote';
      key: string;
      operation: string;
      ok: boolean;
      pr: PrMapping | null;
      result: Record<string, unknown>;
    };
