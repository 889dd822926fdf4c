import type { JobOutcome } from '../../src/base/jobs/jobOutcomes.ts';
import type { FailurePolicy } from '../../src/contract/schema/workflow/workflow.ts';
import type { SubRunInput } from '../../src/contract/schema/job/subRun.ts';
import type { JobInput } from '../job/jobContext.ts';

/** Belongs to one run of a sub-run: events of earlier runs change nothing. */
interface OfAttempt {
  name: string;
  attempt: number;
}

export interface BeforeSkip {
  reason: string | null;
  /** Epoch ms. */
  completedAt: number | null;
}

type Command = { name: string; reason: string | null; by: 'developer' | 'agent' };

export type CommandEvent =
  | ({ type: 'subRuns.skip'; was?: BeforeSkip } & Command)
  | ({ type: 'subRuns.unskip'; was?: BeforeSkip | null } & Command)
  /** `jobId`: the job of the latest run. */
  | ({ type: 'subRuns.cancel'; jobId?: string | null } & Command)
  /** `params`: the full params after the patch; null = unchanged. */
  | ({ type: 'subRuns.rerun'; params: Record<string, unknown> | null } & Command);

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type SubRunsEvent =
  /** `kept`: the same sub-run has begun and stays unchanged. */
  (
    | { type: 'subRuns.register'; spec: SubRunInput; kept?: boolean }
    | { type: 'subRuns.finalize'; cap: number; policy: FailurePolicy }
    | { type: 'subRuns.clear' }
    | { type: 'parent.parked' }
    | { type: 'parent.paused' }
    | { type: 'parent.ended' }
    /** The parent cannot wait for reopened sub-runs: it is cancelled or does not coordinate. */
    | { type: 'parent.gone' }
    | ({ type: 'subRun.prepared'; jobId: string; input: JobInput } & OfAttempt)
    /** The job cannot be created, and a retry would not help. */
    | ({ type: 'subRun.unprepared'; message: string } & OfAttempt)
    /** The job cannot be created now. `needsPerson`: a person must repair something first. */
    | ({ type: 'subRun.postponed'; message: string; needsPerson: boolean } & OfAttempt)
    /** The timer: retries what could not be created. */
    | { type: 'subRuns.retry' }
    | ({ type: 'subRun.ended'; outcome: JobOutcome; message: string | null } & OfAttempt)
    /** A person has continued the job of an ended sub-run. */
    | ({ type: 'subRun.reopened' } & OfAttempt)
    | ({ type: 'effect.givenUp'; effect: string; error: string } & OfAttempt)
    | CommandEvent
  ) & { at: number };

export type SubRunsEventOf<Type extends SubRunsEvent['type']> = Extract<
  SubRunsEvent,
  { type: Type }
>;
