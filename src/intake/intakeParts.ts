import type { ChatRequest } from '../contract/planning/chat.ts';
import type { SessionSandbox } from '../contract/session/sandbox.ts';
import type { Citation, Pinned } from '../contract/schema/planning/evidence.ts';
import type { IntakeContext } from '../contract/schema/planning/intake.ts';
import type { PinnedLines, PinnedLinesQuery } from '../contract/schema/planning/intakeReplies.ts';
import type { PhaseModel } from '../contract/schema/runner/settings.ts';
import type { SeenLines } from './citations/checkCitedLines.ts';
import type { Lookup } from './tools/lookup.ts';
import type { Pin } from './tools/pins.ts';

/** The commits that a conversation looks at. */
export interface PinScope {
  sessionId: string;
  /** Repositories that it looks at already. */
  pins: readonly Pin[];
  /** Whether the developer has named a repository. */
  named(slug: string): boolean;
  /** A repository was read for the first time; resolves when that is stored. */
  onPinned(pin: Pin): Promise<void>;
}

/** The same, for its citations. */
export interface CitationScope extends PinScope {
  /** Lines that look-ups have shown at a pinned commit. */
  seen(pin: Pin): readonly SeenLines[];
}

/** Of what a run can be made on this runner, as things are now. */
export interface RunnableParts {
  workflows: NonNullable<IntakeContext['availableWorkflows']>;
  /** Paths of workflows that have errors. */
  broken: readonly string[];
  /** Slugs of the repositories that its forges know without being asked. */
  repositories: readonly string[];
}

/** What a conversation knows of repositories, trackers and models. Asked for each turn. */
export interface IntakeParts {
  /** The same bytes for every turn until the overlay changes. */
  systemPrompt(): Promise<string>;
  lookups(scope: PinScope): readonly Lookup[];
  runnable(): Promise<RunnableParts>;
  /**
   * Checks places as findings write them; others are left out. None where it is
   * not known which repository is meant.
   */
  citations(scope: CitationScope, refs: readonly string[]): Promise<Citation[]>;
  /** How far the branch has gone since, and which of these files that has changed. */
  drift(pin: Pin, paths: readonly string[]): Promise<Pinned>;
  /** The newest commit of the branch of a pin. */
  newest(pin: Pin): Promise<Pin>;
  /** Throws SvcError `not-found` where nothing is pinned, or no such file exists. */
  fileLines(pins: readonly Pin[], query: PinnedLinesQuery): Promise<PinnedLines>;
  /** What the model can be sent, tokens. */
  windowOf(llm: PhaseModel): number;
}

/** What a turn of an executor that is a program needs of this machine. */
export type TurnPlace = Pick<ChatRequest, 'stateDir' | 'env' | 'marker' | 'toolServer'> & {
  /**
   * What confines the program; `lacks`: why nothing does although it should, as a clause; null = it
   * need not, or something does. Rejects with SvcError `cannot-run` where a sandbox is required and
   * none can be had.
   */
  sandbox(need: {
    llm: PhaseModel;
    toolUrl: string;
    sessionDir: string;
  }): Promise<{ sandbox: SessionSandbox | undefined; lacks: string | null }>;
  /** Closes the tool server, ends the sandbox and removes the folder. */
  release(): Promise<void>;
};
