import { createMemo, Show } from 'solid-js';
import { explainDiskWait } from '../../../src/base/limits/findLowDisk.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useStore } from '../../shell/useStore.ts';
import { pickNewerSummary } from './jobsStore.ts';
import { toPlainSentence } from '../plainText.ts';

/** Why no queued job starts while a disk is low; of one job only while it is queued. */
export function LowDisk(props: { job?: JobSummary | undefined }) {
  const known = useStore(useDashboard().jobs, (context) => context.known);
  const reason = createMemo(() => {
    const { job: shown } = props;
    // The list is sent a change of the disk, the page of a job is not.
    if (shown) return explainDiskWait(pickNewerSummary(shown, known().get(shown.id) ?? shown));
    for (const job of known().values()) {
      const found = explainDiskWait(job);
      if (found !== null) return found;
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
