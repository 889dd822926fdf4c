import type { DurableChart } from '../../src/durable/chart.ts';
import type { JobContext } from './jobContext.ts';
import { NO_SETBACKS } from './rules/contextOf.ts';
import { approvalHash } from './rules/approval.ts';
import { NO_APPROVALS, withVersion } from './rules/checkpoints.ts';

type Snapshot = Record<string, unknown>;

/** The snapshot with its context changed. */
const withContext = (snapshot: Snapshot, more: Partial<JobContext>): Snapshot => ({
  ...snapshot,
  context: { ...Object(snapshot.context), ...more },
});

/**
 * In version 2 `settled` also meant sub-runs that resumePhase had run for; only a job paused while
 * waiting had that before it.
 */
function subRunsOf2({ context }: Snapshot): JobContext['subRuns'] {
  const { subRuns, pausedFrom } = context as JobContext;
  return subRuns === 'settled' && pausedFrom !== 'subRuns' ? 'over' : subRuns;
}

/**
 * The store's migration has put the approvals of a job's visits into its snapshot; the chart alone
 * does not know the rows.
 */
function approvalsOf2({ context }: Snapshot): JobContext['approvals'] {
  const { approvals, visit, phase } = context as Partial<JobContext>;
  return approvals ?? { ...NO_APPROVALS, at: visit === 0 ? null : (phase ?? null) };
}

/**
 * A job that waits for approval has shown its first version: what follows a message or a rejection
 * is a later one.
 */
function withShown(snapshot: Snapshot): Snapshot {
  const { parked } = Object(snapshot.value);
  if (parked !== 'approval') return snapshot;
  const context = snapshot.context as JobContext;
  return withContext(snapshot, { approvals: withVersion(context, approvalHash(context)) });
}

/** From each released version of the job chart to the next. */
export const jobMigrations: DurableChart['migrations'] = {
  // Before sub-runs.
  1: (snapshot) => withContext(snapshot, { subRuns: null, subRunOf: null }),
  2: (snapshot) =>
    withShown(
      withContext(snapshot, {
        subRuns: subRunsOf2(snapshot),
        finalizedIn: null,
        subRunFailures: { failed: 0, escalated: 0 },
        continued: null,
        setbacks: NO_SETBACKS,
        approvals: approvalsOf2(snapshot),
      }),
    ),
};
