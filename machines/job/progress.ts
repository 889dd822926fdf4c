import type { LoopRule } from '../../src/shared/limits/loopLimits.ts';
import type { DetectedLoop } from '../../src/contract/schema/session/detectedLoop.ts';

/** How often visits of the job have ended with one fingerprint. */
export interface LoopMark {
  rule: LoopRule;
  /** Start of a SHA-256. */
  hash: string;
  phase: string;
  /** The last visit that ended with it. */
  visit: number;
  count: number;
}

/** Tests that failed in the last run of tests that a session has shown. */
export interface FailingTests {
  /** Hash over their names. */
  hash: string;
  count: number;
  first: string;
}

/** What the rules about loops without progress know of a job. */
export interface Progress {
  /** Oldest first; at most MAX_LAP_MARKS. */
  marks: LoopMark[];
  /** Hash of the files, as the last session left them; left out = not known: nothing is counted. */
  work?: string;
  /** Of the visit that runs. */
  failing?: FailingTests;
  /** Hash over what the visit that runs has posted and learned; left out = nothing. */
  posted?: string;
  /** How often an event has woken the job. */
  wakes: number;
  /** The event that woke it, until it waits again. */
  woke?: string;
  /** A warning that the next session is given. */
  note?: string;
  /** Set when a visit has ended at the limit of a rule. */
  circle?: DetectedLoop;
}
