import type { LoopRule } from '../../src/base/limits/loopLimits.ts';
import type { DetectedLoop } from '../../src/contract/schema/session/detectedLoop.ts';

/** How often visits of the job have ended with the same fingerprint. */
export interface LoopMark {
  rule: LoopRule;
  /** Start of a SHA-256. */
  hash: string;
  phase: string;
  /** The last visit that ended with it. */
  visit: number;
  count: number;
}

export interface FailingTests {
  /** Hash over their names. */
  hash: string;
  count: number;
  first: string;
}

export interface Progress {
  /** Oldest first; at most MAX_LOOP_MARKS. */
  marks: LoopMark[];
  /** Hash of the files after the last session; left out = unknown, so nothing is counted. */
  work?: string;
  failing?: FailingTests;
  /** Hash over what the running visit posted and learned; left out = nothing. */
  posted?: string;
  /** How often an event has woken the job. */
  wakes: number;
  /** The event that woke the job, until it waits again. */
  woke?: string;
  note?: string;
  /** The loop, if a visit ended at the limit of a rule. */
  circle?: DetectedLoop;
}
