import type { DurableChart } from '../../src/kernel/chart.ts';
import type { JobContext } from './jobContext.ts';
import { NO_SETBACKS } from './rules/createJobContext.ts';
import { hashApprovalContent } from './rules/approval.ts';
import { NO_APPROVALS, rememberFirstVersion } from './rules/checkpoints.ts';

type Snapshot = Record<string, unknown>;

const patchSnapshotContext = (snapshot: Snapshot, more: Partial<JobContext>): Snapshot => ({
  ...snapshot,
  context: { ...Object(snapshot.context), ...more },
});

/**
 * In version 2 `settled` also meant sub-runs for which resumePhase had run; only a job paused while
 * waiting had `settled` before that.
 */
function migrateSubRunsFrom2({ context }: Snapshot): JobContext['subRuns'] {
  const { subRuns, pausedFrom } = context as JobContext;
  return subRuns === 'settled' && pausedFrom !== 'subRuns' ? 'over' : subRuns;
}

/** The store's migration put the approvals into the snapshot; the chart cannot read rows. */
function migrateApprovalsFrom2({ context }: Snapshot): JobContext['approvals'] {
  const { approvals, visit, phase } = context as Partial<JobContext>;
  return approvals ?? { ...NO_APPROVALS, at: visit === 0 ? null : (phase ?? null) };
}

/**
 * A job that waits for approval has shown its first version; any version after a message or
 * rejection is a later one.
 */
function migrateShownVersion(snapshot: Snapshot): Snapshot {
  const { parked } = Object(snapshot.value);
  if (parked !== 'approval') return snapshot;
  const context = snapshot.context as JobContext;
  return patchSnapshotContext(snapshot, {
    approvals: rememberFirstVersion(context, hashApprovalContent(context)),
  });
}

export const jobMigrations: DurableChart['migrations'] = {
  // Before sub-runs.
  1: (snapshot) => patchSnapshotContext(snapshot, { subRuns: null, subRunOf: null }),
  2: (snapshot) =>
    migrateShownVersion(
      patchSnapshotContext(snapshot, {
        subRuns: migrateSubRunsFrom2(snapshot),
        finalizedIn: null,
        subRunFailures: { failed: 0, escalated: 0 },
        continued: null,
        setbacks: NO_SETBACKS,
        approvals: migrateApprovalsFrom2(snapshot),
      }),
    ),
};
