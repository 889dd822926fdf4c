import type { ChatRequest } from '../contract/planning/chat.ts';
import type { SessionSandbox } from '../contract/session/sandbox.ts';
import type { Citation, Pinned } from '../contract/schema/planning/evidence.ts';
import type { IntakeContext } from '../contract/schema/planning/intake.ts';
import type { PinnedLines, PinnedLinesQuery } from '../contract/schema/planning/intakeReplies.ts';
import type { PhaseModel } from '../contract/schema/runner/settings.ts';
import type { SeenLines } from './citations/checkCitedLines.ts';
import type { Lookup } from './tools/lookup.ts';
import type { Pin } from './tools/pins.ts';

export interface PinScope {
  sessionId: string;
  pins: readonly Pin[];
  isNamed(slug: string): boolean;
  /** Called when a repository is read for the first time; resolves when the pin is stored. */
  onPinned(pin: Pin): Promise<void>;
}

export interface CitationScope extends PinScope {
  /** Lines that look-ups showed at a pinned commit. */
  listSeen(pin: Pin): readonly SeenLines[];
}

/** What a run can currently be made of on this runner. */
export interface RunnableParts {
  workflows: NonNullable<IntakeContext['availableWorkflows']>;
  /** Paths of workflows that have errors. */
  broken: readonly string[];
  /** Slugs of repositories that forges know without a request. */
  repositories: readonly string[];
}

/** A conversation's access to repositories, trackers and models. Queried for each turn. */
export interface IntakeParts {
  /** The same bytes for every turn until the overlay changes. */
  systemPrompt(): Promise<string>;
  lookups(scope: PinScope): readonly Lookup[];
  runnable(): Promise<RunnableParts>;
  /**
   * Checks places as findings write them; others are left out. Empty if it is unclear which
   * repository is meant.
   */
  citations(scope: CitationScope, refs: readonly string[]): Promise<Citation[]>;
  /** How far the branch has moved since, and which of these files changed. */
  drift(pin: Pin, paths: readonly string[]): Promise<Pinned>;
  /** The newest commit of a pin's branch. */
  newest(pin: Pin): Promise<Pin>;
  /** Throws SvcError `not-found` without a pin or such a file. */
  fileLines(pins: readonly Pin[], query: PinnedLinesQuery): Promise<PinnedLines>;
  /** The model's window, tokens. */
  readContextWindow(llm: PhaseModel): number;
}

/** What a turn needs on this machine if its executor is a program. */
export type TurnPlace = Pick<ChatRequest, 'stateDir' | 'env' | 'marker' | 'toolServer'> & {
  /**
   * What confines the program; `lacks`: why nothing does although it should, as a clause; null =
   * nothing is missing. Rejects with SvcError `cannot-run` if a required sandbox is not available.
   */
  sandbox(need: {
    llm: PhaseModel;
    toolUrl: string;
    sessionDir: string;
  }): Promise<{ sandbox: SessionSandbox | undefined; lacks: string | null }>;
  release(): Promise<void>;
};
