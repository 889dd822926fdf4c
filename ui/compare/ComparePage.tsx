import { createMemo, For, Show } from 'solid-js';
import { ComparedLines } from '../inbox/ComparedLines.tsx';
import { compareLines, pickChangedParts } from '../inbox/compareLines.ts';
import { formatDuration, formatJobTitle } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { toJobHash, toRouteHash } from '../shell/navigation/router.ts';
import { NumberTable } from '../statistics/NumberTable.tsx';
import { RowBar } from '../statistics/RowBar.tsx';
import {
  type ComparedJob,
  comparePhases,
  listComparedFacts,
  type PhaseTime,
} from './comparedJob.ts';
import { CompareWith } from './CompareWith.tsx';
import { FinalDiffs } from './FinalDiffs.tsx';
import { readComparedJob } from './readComparedJob.ts';
import '../statistics/statistics.css';
import './compare.css';

type Pair = readonly [ComparedJob, ComparedJob];

/** Two jobs side by side; with one alone, the jobs that it can be compared with. */
export function ComparePage(props: { ids: readonly string[] }) {
  const { client } = useDashboard();
  const [reading, { refetch }] = createReading(
    () => props.ids.length === 2 && props.ids.join('/'),
    async (): Promise<Pair> => {
      const [a = '', b = ''] = props.ids;
      return Promise.all([readComparedJob(client, a), readComparedJob(client, b)]);
    },
  );
  return (
    <div class="page compare-page">
      <div class="page-head">
        <h1 class="grow">Compare jobs</h1>
        <Show when={props.ids.length === 2}>
          <a class="button" href={toRouteHash(['compare', ...props.ids.toReversed()])}>
            Swap
          </a>
        </Show>
      </div>
      <Show when={props.ids.length === 2} fallback={<CompareWith jobId={props.ids[0] ?? ''} />}>
        <ReadingView reading={reading} retry={() => void refetch()}>
          <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
            {(pair) => <Comparison pair={pair()} />}
          </Show>
        </ReadingView>
      </Show>
    </div>
  );
}

function Comparison(props: { pair: Pair }) {
  const facts = createMemo(() => listComparedFacts(...props.pair));
  return (
    <>
      <NumberTable label="Both jobs">
        <JobHeads pair={props.pair} />
        <tbody>
          <For each={facts()}>
            {({ name, values }) => (
              <tr classList={{ differs: values[0] !== values[1] }}>
                <th scope="row">{name}</th>
                <For each={values}>
                  {(value) => <td>{value || <span class="muted">–</span>}</td>}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </NumberTable>
      <Phases pair={props.pair} />
      <Plans pair={props.pair} />
      <Diffs pair={props.pair} />
    </>
  );
}

function JobHeads(props: { pair: Pair }) {
  return (
    <thead>
      <tr>
        <td />
        <For each={props.pair}>
          {({ job }) => (
            <th scope="col">
              <a href={toJobHash(job.id)}>
                <bdi>{formatJobTitle(job)}</bdi>
              </a>
              <small title={job.id}>{job.id}</small>
            </th>
          )}
        </For>
      </tr>
    </thead>
  );
}

function Phases(props: { pair: Pair }) {
  const phases = createMemo(() => comparePhases(props.pair[0].timeline, props.pair[1].timeline));
  const top = () =>
    Math.max(1, ...phases().flatMap(({ times }) => times.map((one) => one.workMs + one.waitMs)));
  return (
    <section class="section" aria-labelledby="phases">
      <h2 id="phases">Phases</h2>
      <NumberTable label="Time of each phase in both jobs">
        <JobHeads pair={props.pair} />
        <tbody>
          <For each={phases()}>
            {({ phase, times }) => (
              <tr>
                <th scope="row">
                  <bdi>{phase}</bdi>
                </th>
                <For each={times}>{(time) => <PhaseCell time={time} top={top()} />}</For>
              </tr>
            )}
          </For>
        </tbody>
      </NumberTable>
    </section>
  );
}

function PhaseCell(props: { time: PhaseTime; top: number }) {
  const bar = () => ({
    label: '',
    parts: [
      { tone: 'working', says: 'work', value: props.time.workMs },
      { tone: 'waiting', says: 'wait', value: props.time.waitMs },
    ],
  });
  return (
    <td>
      <Show when={props.time.visits > 0} fallback={<span class="muted">not visited</span>}>
        <RowBar bar={bar()} top={props.top} />
        {formatDuration(props.time.workMs)} work
        {props.time.waitMs > 0 ? ` · ${formatDuration(props.time.waitMs)} wait` : ''}
        {props.time.visits > 1 ? ` · ${props.time.visits} visits` : ''}
      </Show>
    </td>
  );
}

function Diffs(props: { pair: Pair }) {
  const files = () => [props.pair[0].files ?? [], props.pair[1].files ?? []] as const;
  return (
    <Show when={files().some((some) => some.length > 0)}>
      <FinalDiffs files={files()} head={<JobHeads pair={props.pair} />} />
    </Show>
  );
}

function Plans(props: { pair: Pair }) {
  const plans = () => props.pair.map(({ plan }) => plan);
  const parts = createMemo(() => {
    const [a, b] = plans();
    if (a == null || b == null) return null;
    const lines = compareLines(a, b);
    return { parts: lines && pickChangedParts(lines) };
  });
  return (
    <Show when={plans().some((plan) => plan !== null)}>
      <section class="section" aria-labelledby="plans">
        <h2 id="plans">Plans</h2>
        <Show
          when={parts()}
          fallback={<p class="muted">Only one of the jobs has posted a plan.</p>}
        >
          {(comparison) => (
            <>
              <Show when={comparison().parts === null}>
                <p class="muted">There are too many changes to compare line by line.</p>
              </Show>
              <Show when={comparison().parts?.length === 0}>
                <p class="muted">The text is the same.</p>
              </Show>
              <ComparedLines parts={comparison().parts} />
            </>
          )}
        </Show>
      </section>
    </Show>
  );
}
