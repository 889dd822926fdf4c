import { createMemo, For, Show } from 'solid-js';
import { formatAge, formatJobTitle } from '../jobs/jobText.ts';
import { describeJobState } from '../jobs/plainText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { MedianTable } from './MedianTable.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash } from '../shell/navigation/router.ts';

/** Most jobs that are offered. */
const OFFERED = 50;

/** The newest jobs of the same workflow, each a link to the comparison with it. */
export function CompareWith(props: { jobId: string }) {
  const { client } = useDashboard();
  const [reading, { refetch }] = createReading(
    () => props.jobId,
    async (id) => {
      const job = await client.job(id);
      const { jobs } = await client.jobs({ workflow: job.workflowPath, limit: OFFERED });
      return { job, jobs };
    },
  );
  const others = createMemo(
    () => reading.latest?.jobs.filter(({ id }) => id !== props.jobId) ?? [],
  );
  return (
    <ReadingView reading={reading} retry={() => void refetch()}>
      <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
        {(read) => (
          <>
            <MedianTable job={read().job} others={others()} />
            <p>
              Choose a job to compare with <bdi>{formatJobTitle(read().job)}</bdi>: these are the
              newest of the same workflow.
            </p>
            <ul class="plain compare-with">
              <For
                each={others()}
                fallback={
                  <li class="muted">
                    No other job of this workflow exists. To compare jobs of different workflows,
                    select both in the <a href="#/jobs">list</a>.
                  </li>
                }
              >
                {(other) => (
                  <li>
                    <a href={toRouteHash(['compare', other.id, props.jobId])}>
                      <bdi>{formatJobTitle(other)}</bdi>
                    </a>{' '}
                    <small>
                      {describeJobState(other)} · {formatAge(other.createdAt, nowForAges())}
                    </small>
                  </li>
                )}
              </For>
            </ul>
          </>
        )}
      </Show>
    </ReadingView>
  );
}
