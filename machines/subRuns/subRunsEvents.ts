import type { JobOutcome } from '../../src/shared/jobs/jobOutcomes.ts';
import type { FailurePolicy } from '../../src/contract/schema/workflow/workflow.ts';
import type { SubRunInput } from '../../src/contract/schema/job/subRun.ts';
import type { JobInput } from '../job/jobContext.ts';

/** Carried by what belongs to one run of a sub-run: an event of an earlier run changes nothing. */
interface OfAttempt {
  name: string;
  attempt: number;
}

/** What the row of a sub-run said before it was skipped. */
export interface BeforeSkip {
  reason: string | null;
  /** Epoch ms. */
  completedAt: number | null;
}

type Command = { name: string; reason: string | null; by: 'developer' | 'agent' };

/** What people and the parent's agent send. */
export type CommandEvent =
  | ({ type: 'subRuns.skip'; was?: BeforeSkip } & Command)
  | ({ type: 'subRuns.unskip'; was?: BeforeSkip | null } & Command)
  /** `jobId`: the job of its latest run. */
  | ({ type: 'subRuns.cancel'; jobId?: string | null } & Command)
  /** `params`: those of the sub-run with the patch merged in; null = as they are. */
  | ({ type: 'subRuns.rerun'; params: Record<string, unknown> | null } & Command);

/** `at` (epoch ms) is stamped by the kernel on every event. */
export type SubRunsEvent =
  /** `kept`: the same sub-run as one that has run or runs, which stays as it is. */
  (
    | { type: 'subRuns.register'; spec: SubRunInput; kept?: boolean }
    | { type: 'subRuns.finalize'; cap: number; policy: FailurePolicy }
    | { type: 'subRuns.clear' }
    | { type: 'parent.parked' }
    | { type: 'parent.paused' }
    | { type: 'parent.ended' }
    /**
     * It was notified that sub-runs are to run again, and cannot wait for them: it was cancelled,
     * or its workflow does not coordinate.
     */
    | { type: 'parent.gone' }
    | ({ type: 'subRun.prepared'; jobId: string; input: JobInput } & OfAttempt)
    /** Its job can never be created as things are. */
    | ({ type: 'subRun.unprepared'; message: string } & OfAttempt)
    /** Its job cannot be created now. `needsPerson`: before a person has repaired something. */
    | ({ type: 'subRun.postponed'; message: string; needsPerson: boolean } & OfAttempt)
    /** The timer: what could not be created is tried again. */
    | { type: 'subRuns.retry' }
    | ({ type: 'subRun.ended'; outcome: JobOutcome; message: string | null } & OfAttempt)
    /** A person has continued the job of a sub-run that had ended. */
    | ({ type: 'subRun.reopened' } & OfAttempt)
    | ({ type: 'effect.givenUp'; effect: string; error: string } & OfAttempt)
    | CommandEvent
  ) & { at: number };

export type SubRunsEventOf<Type extends SubRunsEvent['type']> = Extract<
  SubRunsEvent,
  { type: Type }
>;
