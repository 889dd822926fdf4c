import type { ClosedLimit } from '../../src/shared/agents/quotaKinds.ts';
import type { SessionFault } from '../../src/shared/errors/sessionFaults.ts';
import type { StopReason } from '../../src/shared/jobs/stopReasons.ts';
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
 * Every act on the outside world that the job's chart may ask for: name → its input. Each is
 * implemented in a file of its own; `src/host/runner/providePorts.ts` joins them, and does not compile where
 * one is missing.
 */
export interface JobPorts {
  /**
   * Makes the job's folder and its checkout, resolves the overlay for this visit, writes it as
   * files and lints the workflow. Answers `phase.prepared`, or `phase.unprepared` where a person has
   * to repair something first, or `phase.postponed` while a disk is low.
   */
  'phase.prepare': {
    visit: number;
    phase: string;
    workflowPath: string;
    params: Record<string, unknown>;
  };
  /**
   * Runs one agent session to its end. Answers `session.ended`, with `message.acknowledged` before
   * it for messages that the agent has read and whose acknowledgement is not stored yet.
   */
  'session.open': {
    visit: number;
    session: number;
    phase: PhaseDefinition;
    workflowPath: string;
    /**
     * Inbox items (from, to] go into the kickoff as one chronological batch, with messages that
     * arrived after them. What does not fit is `left` in the answer.
     */
    inboxFrom: number;
    inboxTo: number;
    /** What the chart tells the agent, e.g. why it may not complete yet; null = nothing. */
    prompt: string | null;
    /** What resumed or woke the job for this session: the key of a resume, or of an event. */
    eventKey: string | null;
    /** The sessions of this visit that it continues; left out = none. */
    continued?: SessionContinuation;
  };
  /**
   * Gives the message `id`, inbox item `n`, to the running session. Has no answer: what becomes of
   * the message is reported by `message.*` events. A session that is over takes nothing.
   */
  'message.offer': { visit: number; session: number; n: number; id: string };
  /**
   * Asks the running session to end; its `session.open` then answers with stopReason `interrupted`.
   * Has no answer of its own, and does nothing where the session is over.
   */
  'session.stop': { visit: number; session: number; why: 'pause' | 'cancel' };
  /**
   * Asks the decision layer to rate the phase whose session has ended. Answers `phase.judged`,
   * whatever the provider does; takes little longer than `terms.timeoutMs`.
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
   * One write to a forge or tracker, asked for by a tool. Answers `forge.wrote`. `key` names the
   * write within the job. `at` (epoch ms) is when it was asked for, so that a repeat after a crash
   * makes the same commit.
   */
  'forge.write': {
    key: string;
    forge: string;
    operation: string;
    args: Record<string, unknown>;
    at: number;
  };
}

/**
 * Unread inbox items after number `from`: how many messages, and which kinds of events of pull
 * requests and tickets (each once, oldest first).
 */
export interface LeftoverItems extends UnreadInbox {
  from: number;
}

/** What the ports answer with. */
export type JobAnswer =
  | {
      type: 'phase.prepared';
      visit: number;
      workflow: WorkflowTable;
      overlayHash: string;
      /** Hash of the layers as they were kept for the next visit; left out = they were not. */
      layers?: string;
      /** null = the job has no repository. */
      checkout: { dir: string; absDir: string } | null;
    }
  /**
   * `retry`: another attempt shows whether a person has repaired it, so the job tries again by
   * itself; left out = a person has to continue it.
   */
  | {
      type: 'phase.unprepared';
      visit: number;
      message: string;
      diagnostics: Diagnostic[];
      retry?: true;
    }
  /** Nothing was done: the disk that is low, as a clause. */
  | { type: 'phase.postponed'; visit: number; disk: string }
  | {
      type: 'session.ended';
      visit: number;
      session: number;
      stopReason: StopReason;
      /** The reason where it ended in an error, a limit or a quota, or died; null otherwise. */
      error: string | null;
      usage: Usage | null;
      /** Inbox items that did not fit into the kickoff; left out = all of them were given. */
      left?: LeftoverItems;
      /**
       * With `quota`: when the endpoint takes requests again, epoch ms; null or left out = it does
       * not say.
       */
      resetsAt?: number | null;
      /** With `quota`: which limit it is; left out = one that is used up for a while. */
      quota?: ClosedLimit;
      /** The budget for which the runner ended it; left out = for none. */
      budget?: Exceeded;
      /**
       * With `error`: where it comes from, which says what becomes of the job; left out = from the
       * agent's program itself, which fails the job.
       */
      fault?: SessionFault;
      /** Which disk was so low that the runner ended it, as a clause; left out = none was. */
      disk?: string;
      /** With `quota`: the account that wakes the job; left out = none is known. */
      pool?: string;
      /** The rule for which the job waits for a person, and what to do; left out = for none. */
      held?: { rule: string; text: string };
      /** Hash of the files as it leaves them; left out = not known. */
      work?: string;
      /** What failed in the last run of tests that it has shown; left out = nothing, or no run. */
      failing?: FailingTests;
      /** The decision layer is to rate the phase; left out = it is off for this job. */
      judge?: RatingTerms;
      /** With `judge`: how the files differ from the base; left out = it is not known. */
      changed?: ChangedFiles;
    }
  | { type: 'phase.judged'; visit: number; session: number; judgement: CommittedRating }
  /**
   * `pr`: the pull request that was written to, where the forge's answer has it. `result` of a
   * failure: `error` and `code`.
   */
  | {
      type: 'forge.wrote';
      key: string;
      operation: string;
      ok: boolean;
      pr: PrMapping | null;
      result: Record<string, unknown>;
    };
