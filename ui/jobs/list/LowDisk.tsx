import { createMemo, Show } from 'solid-js';
import { explainDiskWait } from '../../../src/base/limits/findLowDisk.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useStore } from '../../shell/useStore.ts';
import { pickNewerSummary } from './jobsStore.ts';
import { toPlainSentence } from '../plainText.ts';

/** Why no queued job starts while a disk is low; of one job only while it is queued. */
export function LowDisk(props: { job?: JobSummary | undefined }) {
  const knownJobs = useStore(useDashboard().jobs, (context) => context.known);
  const reason = createMemo(() => {
    const { job: shownJob } = props;
    // The list is sent a change of the disk, the page of a job is not.
    if (shownJob)
      return explainDiskWait(pickNewerSummary(shownJob, knownJobs().get(shownJob.id) ?? shownJob));
    for (const job of knownJobs().values()) {
      const diskReason = explainDiskWait(job);
      if (diskReason !== null) return diskReason;
    }
    return null;
  });
  return (
    <Show when={reason()}>
      {(why) => (
        <p class="notice-line" role="status">
          {toPlainSentence(`Queued jobs wait: ${why()}`)}
        </p>
      )}
    </Show>
  );
}
