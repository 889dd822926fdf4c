import { createMemo, createSignal, For, Show } from 'solid-js';
import { Icon } from '../shell/controls/Icon.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { describeFailures } from '../../src/base/jobs/describeFailures.ts';
import { describeUnreported, formatTokens } from '../../src/base/spending/tokenText.ts';
import type { Statistics, StatisticsDay } from '../../src/contract/schema/api/statistics.ts';
import { formatShortCount, formatDuration } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { ColumnChart } from './ColumnChart.tsx';
import { type Bar, formatWholePercent, formatChartDay, sumBarParts } from './chartShapes.ts';
import { CostStatistics } from './CostStatistics.tsx';
import { ColourLegend, NumberTable } from './NumberTable.tsx';
import { RowBar } from './RowBar.tsx';
import './statistics.css';

const PERIODS = [
  { days: 7, says: '7 days' },
  { days: 30, says: '30 days' },
  { days: 90, says: '90 days' },
];

const OUTCOMES = [
  { key: 'complete', tone: 'good', says: 'complete' },
  { key: 'partial', tone: 'partial', says: 'partly complete' },
  { key: 'failed', tone: 'bad', says: 'failed' },
  { key: 'cancelled', tone: 'over', says: 'cancelled' },
] as const;

const TOKENS = [
  { tone: 'waiting', says: 'tokens in' },
  { tone: 'working', says: 'tokens out' },
] as const;

const WAITS: Readonly<Record<string, string>> = {
  slot: 'the queue',
  approval: 'an approval',
  event: 'a pull request or ticket',
  external: 'something outside svc',
  developer: 'an answer',
  halted: 'a decision about a failure',
  subRuns: 'sub-runs',
  paused: 'a resume after a pause',
  quota: "the model's quota",
  budget: 'a budget',
  outage: 'a service that does not answer',
  flagged: 'a decision about a flag',
};

type Outcomes = Pick<StatisticsDay, (typeof OUTCOMES)[number]['key']>;

const toOutcomeBar = (label: string, from: Outcomes): Bar => ({
  label,
  parts: OUTCOMES.map(({ key, tone, says }) => ({ tone, says, value: from[key] })),
});

export function StatisticsPage() {
  const { client } = useDashboard();
  const [days, setDays] = createSignal(30);
  const [reading, { refetch }] = createReading(days, (wantedDays) =>
    client.statistics({ days: wantedDays, offset: -new Date().getTimezoneOffset() }),
  );
  return (
    <div class="page statistics-page">
      <div class="page-head">
        <h1>Statistics</h1>
        <fieldset class="periods">
          <legend class="visually-hidden">Period</legend>
          <For each={PERIODS}>
            {(period) => (
              <button
                type="button"
                aria-pressed={days() === period.days}
                onClick={() => setDays(period.days)}
              >
                {period.says}
              </button>
            )}
          </For>
        </fieldset>
      </div>
      <ReadingView reading={reading} retry={() => void refetch()}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          {(statistics) => (
            <Show
              when={statistics().jobs > 0}
              fallback={
                <div class="empty">
                  <h2>No job ran in this period</h2>
                  <p>
                    Throughput, waiting time, success, tokens and cost of jobs appear here. Choose a
                    longer period, or start a job.
                  </p>
                  <IfOffered to="createJob">
                    <a class="button" href="#/new">
                      <Icon name="plus" /> New job
                    </a>
                  </IfOffered>
                </div>
              }
            >
              <div class="statistics-charts reread" aria-busy={reading.isOld}>
                <Charts statistics={statistics()} />
              </div>
            </Show>
          )}
        </Show>
      </ReadingView>
      <CostStatistics days={days()} isQuiet={reading.latest?.jobs === 0} />
    </div>
  );
}

function Charts(props: { statistics: Statistics }) {
  const days = () => props.statistics.days;
  // Every bar asks for all of them.
  const throughput = createMemo(() =>
    days().map((day) => toOutcomeBar(formatChartDay(day.day), day)),
  );
  const tokens = createMemo(() =>
    days().map(
      ({ day, inputTokens, outputTokens }): Bar => ({
        label: formatChartDay(day),
        parts: [
          { ...TOKENS[0], value: inputTokens },
          { ...TOKENS[1], value: outputTokens },
        ],
      }),
    ),
  );
  const failureText = () => {
    const text = describeFailures(props.statistics.failures);
    return text === '' ? '' : `, ${text}`;
  };
  const all = () => throughput().reduce((sum, bar) => sum + sumBarParts(bar), 0);
  const createdCount = () => days().reduce((sum, day) => sum + day.created, 0);
  const sumUsed = () => tokens().reduce((sum, bar) => sum + sumBarParts(bar), 0);
  const sumUnreported = () => days().reduce((sum, day) => sum + day.unreported, 0);
  const busy = () =>
    [...days()].reverse().filter((day) => day.created + sumBarParts(toOutcomeBar('', day)) > 0);
  const spending = () =>
    [...days()].reverse().filter((day) => day.inputTokens + day.outputTokens + day.unreported > 0);
  const workflows = () =>
    props.statistics.workflows.filter((one) => sumBarParts(toOutcomeBar('', one)) > 0);
  const mostJobs = () =>
    Math.max(1, ...workflows().map((one) => sumBarParts(toOutcomeBar('', one))));
  const longest = () => Math.max(1, ...props.statistics.waits.map(({ totalMs }) => totalMs));

  return (
    <>
      <section class="section statistic" aria-labelledby="throughput">
        <h2 id="throughput">Throughput</h2>
        <p>
          {formatShortCount(all())} jobs ended, {formatShortCount(createdCount())} were created.
          <Show when={props.statistics.failures.failed > 0}>
            {' '}
            {formatShortCount(props.statistics.failures.failed)} failed{failureText()}.
          </Show>
        </p>
        <ColourLegend of={OUTCOMES} />
        <div class="picture-and-numbers">
          <ColumnChart
            title="Jobs that ended, by day"
            summary={`${all()} ended, ${createdCount()} were created.`}
            bars={throughput()}
          />
          <NumberTable label="Throughput by day">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Created</th>
                <For each={OUTCOMES}>{({ says }) => <th scope="col">{says}</th>}</For>
              </tr>
            </thead>
            <tbody>
              <For each={busy()}>
                {(day) => (
                  <tr>
                    <th scope="row">{formatChartDay(day.day)}</th>
                    <td>{formatShortCount(day.created)}</td>
                    <For each={OUTCOMES}>{({ key }) => <td>{formatShortCount(day[key])}</td>}</For>
                  </tr>
                )}
              </For>
            </tbody>
          </NumberTable>
        </div>
      </section>
      <section class="section statistic" aria-labelledby="waits">
        <h2 id="waits">Waiting time</h2>
        <Show when={props.statistics.waitsOf < props.statistics.jobs}>
          <p class="muted">
            Of the newest {formatShortCount(props.statistics.waitsOf)} of{' '}
            {formatShortCount(props.statistics.jobs)} jobs.
          </p>
        </Show>
        <NumberTable label="Waiting time by reason">
          <thead>
            <tr>
              <th scope="col">Waited for</th>
              <th scope="col" class="bar-head">
                Share
              </th>
              <th scope="col">Total</th>
              <th scope="col">Times</th>
              <th scope="col">Mean</th>
              <th scope="col">Longest</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.statistics.waits}>
              {(wait) => (
                <tr>
                  <th scope="row">{WAITS[wait.kind] ?? wait.kind}</th>
                  <td class="bar-cell">
                    <RowBar
                      top={longest()}
                      bar={{
                        label: wait.kind,
                        parts: [{ tone: 'needs-you', says: 'ms', value: wait.totalMs }],
                      }}
                    />
                  </td>
                  <td>{formatDuration(wait.totalMs)}</td>
                  <td>{formatShortCount(wait.count)}</td>
                  <td>{formatDuration(wait.meanMs)}</td>
                  <td>{formatDuration(wait.longestMs)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </NumberTable>
      </section>
      <section class="section statistic" aria-labelledby="success">
        <h2 id="success">Success by workflow</h2>
        <ColourLegend of={OUTCOMES} />
        <NumberTable label="Outcomes by workflow">
          <thead>
            <tr>
              <th scope="col">Workflow</th>
              <th scope="col" class="bar-head">
                Outcomes
              </th>
              <th scope="col">Success</th>
              <For each={OUTCOMES}>{({ says }) => <th scope="col">{says}</th>}</For>
              <th scope="col">Mean time</th>
            </tr>
          </thead>
          <tbody>
            <For each={workflows()}>
              {(one) => (
                <tr>
                  <th scope="row">
                    <bdi>{one.workflow}</bdi>
                  </th>
                  <td class="bar-cell">
                    <RowBar top={mostJobs()} bar={toOutcomeBar(one.workflow, one)} />
                  </td>
                  <td>
                    {formatWholePercent(one.complete, one.complete + one.partial + one.failed)}
                  </td>
                  <For each={OUTCOMES}>{({ key }) => <td>{formatShortCount(one[key])}</td>}</For>
                  <td>{formatDuration(one.meanMs)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </NumberTable>
        <p class="muted">Success rate: complete jobs out of all jobs that were not cancelled.</p>
      </section>
      <section class="section statistic" aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <Show
          when={sumUsed() > 0}
          fallback={
            <p class="muted">
              {describeUnreported({ unreported: sumUnreported() }) ?? 'No usage reported.'}
            </p>
          }
        >
          <p>
            {formatShortCount(sumUsed())} tokens. The tokens of a phase count on the day it started.
          </p>
          <Show when={describeUnreported({ unreported: sumUnreported() })}>
            {(text) => <p class="muted">{text()}</p>}
          </Show>
          <ColourLegend of={TOKENS} />
          <div class="picture-and-numbers">
            <ColumnChart
              title="Tokens by day"
              summary={`${formatShortCount(sumUsed())} in all.`}
              bars={tokens()}
            />
            <NumberTable label="Tokens by day">
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  <th scope="col">In</th>
                  <th scope="col">Out</th>
                </tr>
              </thead>
              <tbody>
                <For each={spending()}>
                  {(day) => (
                    <tr>
                      <th scope="row">{formatChartDay(day.day)}</th>
                      <td>{formatTokens(day.inputTokens, day, formatShortCount)}</td>
                      <td>{formatTokens(day.outputTokens, day, formatShortCount)}</td>
                    </tr>
                  )}
                </For>
              </tbody>
            </NumberTable>
          </div>
        </Show>
      </section>
    </>
  );
}
