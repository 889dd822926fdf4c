import type { Citation } from '../schema/planning/evidence.ts';
import type { InvestigationBody } from '../schema/planning/investigationBody.ts';
import type {
  IntakeBody,
  Investigation,
  InvestigationList,
  InvestigationsQuery,
} from '../schema/planning/intake.ts';
import type { IntakeFrame } from '../schema/planning/intakeFrames.ts';
import type {
  EvidenceText,
  PinnedLines,
  PinnedLinesQuery,
  StoppedTurn,
} from '../schema/planning/intakeReplies.ts';

/** A frame with its id, `<turn>.<n>`; frames without one are not counted. */
export interface NumberedFrame {
  id: string | null;
  frame: IntakeFrame;
}

/** A reader of one conversation. It only watches: leaving changes nothing. */
export interface IntakeSink {
  /** In order, each once. Must not throw. */
  frames(frames: readonly NumberedFrame[]): void;
  /** The last call: the turn is over, nothing runs, or the runner stops. */
  end(): void;
}

/** Plan-mode chats, as the outside sees them. */
export interface Intake {
  /**
   * Stores what the developer says and begins a turn, or queues it; answers its number once that is
   * durable. Throws `no-llm` where no executor can hold a chat, `conflict` with reason
   * `turn-running`, `invalid`, `too-large`.
   */
  ask(body: IntakeBody): Promise<{ turn: number }>;
  /**
   * Frames after `after` (the `id` of one; null = from the beginning of the turn that runs or, with
   * `turn`, of that one) until the turn is over. Answers how to leave. Throws `not-found`.
   */
  watch(
    sessionId: string,
    from: { after: string | null; turn: number | null },
    sink: IntakeSink,
  ): () => void;
  /** Throws `not-found`. */
  requireSession(sessionId: string): void;
  /** Stops the turn that runs; resolves when it has stopped. Nothing running is not an error. */
  stop(sessionId: string): Promise<StoppedTurn>;
  investigations(query: InvestigationsQuery): InvestigationList;
  /** Throws `not-found`. */
  investigation(sessionId: string): Promise<Investigation>;
  /** Stores what the dashboard keeps. One that is empty is not stored: null. */
  saveInvestigation(sessionId: string, body: InvestigationBody): Promise<Investigation | null>;
  /** Drops it from memory and from the store; a turn that runs is stopped first. */
  removeInvestigation(sessionId: string): Promise<void>;
  /** Text of one look-up. */
  evidenceText(sessionId: string, evidence: string): Promise<EvidenceText>;
  /** Checks places such as `src/a.ts:12` against the pinned commit. Default: those of the findings. */
  citations(sessionId: string, refs?: readonly string[]): Promise<Citation[]>;
  fileLines(sessionId: string, query: PinnedLinesQuery): Promise<PinnedLines>;
  /** Takes the newest commit; citations are checked again. */
  pinNewest(sessionId: string): Promise<Investigation>;
}
