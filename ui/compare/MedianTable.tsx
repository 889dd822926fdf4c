import { createMemo, For, Show } from 'solid-js';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { NumberTable } from '../statistics/NumberTable.tsx';
import { compareWithMedian } from './medianRun.ts';

/** Complete jobs whose median is taken, the newest ones: each is a request. */
const COUNTED = 10;

const formatRatio = (ratio: number | null): string =>
  ratio === null ? '' : ratio >= 10 ? `${Math.round(ratio)} ×` : `${ratio.toFixed(1)} ×`;

/** A job beside the median of the newest complete jobs of its workflow. */
export function MedianTable(props: { job: JobSummary; others: readonly JobSummary[] }) {
  const { client } = useDashboard();
  const countedRuns = () =>
    props.others.filter(({ status }) => status === 'complete').slice(0, COUNTED);
  const [reading, { refetch }] = createReading(
    () =>
      countedRuns().length > 0 && [props.job.id, ...countedRuns().map(({ id }) => id)].join(' '),
    () =>
      Promise.all(
        [props.job, ...countedRuns()].map(async (job) => ({
          job,
          timeline: await client.timeline(job.id),
        })),
      ),
  );
  const facts = createMemo(() => {
    const [own, ...others] = reading.latest ?? [];
    return own === undefined ? [] : compareWithMedian(own, others);
  });
  return (
    <Show when={countedRuns().length > 0}>
      <section class="section" aria-labelledby="median">
        <h2 id="median">
          Beside the median of {countedRuns().length}{' '}
          {countedRuns().length === 1 ? 'complete job' : 'complete jobs'} of its workflow
        </h2>
        <ReadingView reading={reading} retry={() => void refetch()}>
          <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
            <NumberTable label="This job and the median">
              <thead>
                <tr>
                  <td />
                  <th scope="col">This job</th>
                  <th scope="col">Median</th>
                  <th scope="col">Ratio</th>
                </tr>
              </thead>
              <tbody>
                <For each={facts()}>
                  {({ name, own, median, ratio }) => (
                    <tr>
                      <th scope="row">{name}</th>
                      <td>{own}</td>
                      <td>{median}</td>
                      <td>{formatRatio(ratio)}</td>
                    </tr>
                  )}
                </For>
              </tbody>
            </NumberTable>
          </Show>
        </ReadingView>
      </section>
    </Show>
  );
}
