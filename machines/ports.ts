import type { PhaseDefinition, WorkflowTable } from '../src/schema/workflow.ts';
import type { Diagnostic } from '../src/schema/diagnostic.ts';
import type { PrMapping } from '../src/schema/pr.ts';
import type { Usage } from '../src/schema/usage.ts';
import type { Continued } from './setback.ts';

/**
 * Every act on the outside world that a chart may ask for: name → its input. The implementations stand in
 * `src/effects/`, one file per port; a missing one is a compile error in `src/runner/provide.ts`.
 */
export interface JobPorts {
  /** Makes the workspace, resolves the overlay for this visit and lints the workflow. Answers `phase.prepared` or `phase.unprepared`. */
  'phase.prepare': { visit: number; phase: string; workflowPath: string; params: Record<string, unknown> };
  /** Runs one agent session to its end. Answers `session.ended`. */
  'session.open': {
    visit: number;
    session: number;
    phase: PhaseDefinition;
    workflowPath: string;
    /** Inbox items (from, to] go into the kickoff as one chronological batch. */
    inboxFrom: number;
    inboxTo: number;
    /** Corrective prompt of the completion gate, or the prompt of request_new_session. */
    prompt: string | null;
    /** Key of the resume that led here. */
    eventKey: string | null;
    /** The sessions of this visit that it continues; left out = none. */
    continued?: Continued;
  };
  /** Hands a message over to the session that runs; what becomes of it there is told by `message.*` events. */
  'message.offer': { visit: number; session: number; n: number; id: string };
  /** Ends the running session; its `session.open` then answers with stopReason `interrupted`. */
  'session.stop': { visit: number; session: number; why: 'pause' | 'cancel' };
  /** One write to a forge through a tool. Answers `forge.wrote`. */
  /** `at` (epoch ms) is when it was asked for: a repeat after a crash makes the same commit. */
  'forge.write': { key: string; forge: string; operation: string; args: Record<string, unknown>; at: number };
}

/**
 * Why a session is over. `limit` = a time or output limit of ours; `interrupted` = we ended it; `quota` = the model's endpoint
 * takes no more requests for a while; `died` = the agent's process ended without a result.
 */
export type StopReason = 'end_turn' | 'pause_turn' | 'interrupted' | 'error' | 'limit' | 'quota' | 'died';

/** Unread inbox items after number `from`: how many messages, and which kinds of pull request events (each once, oldest first). */
export interface LeftOver {
  from: number;
  messages: number;
  kinds: string[];
}

/** What the ports answer with. */
export type JobAnswer =
  | {
      type: 'phase.prepared';
      visit: number;
      workflow: WorkflowTable;
      overlayHash: string;
      checkout: { dir: string; absDir: string } | null;
    }
  | { type: 'phase.unprepared'; visit: number; message: string; diagnostics: Diagnostic[] }
  | {
      type: 'session.ended';
      visit: number;
      session: number;
      stopReason: StopReason;
      /** Last words of a session that ended in an error. */
      error: string | null;
      usage: Usage | null;
      /** Inbox items of the kickoff that were too many for one batch, those after number `from`; absent = all of them were given. */
      left?: LeftOver;
      /** With `quota`: when the endpoint takes requests again, epoch ms; null or left out = it does not say. */
      resetsAt?: number | null;
    }
  | { type: 'forge.wrote'; key: string; operation: string; ok: boolean; pr: PrMapping | null; result: Record<string, unknown> };
