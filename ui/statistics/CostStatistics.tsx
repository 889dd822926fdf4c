import { createMemo, createResource, For, Show } from 'solid-js';
import { dollarText, moneyText } from '../../src/domain/moneyText.ts';
import type { Costs } from '../../src/schema/costs.ts';
import { count } from '../jobs/jobText.ts';
import { download } from '../jobs/list/exportJobs.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/Problem.tsx';
import { Columns } from './Columns.tsx';
import { costBars, daysOf, modelTones, shortDollars } from './costShapes.ts';
import { Legend, Numbers } from './Numbers.tsx';

const DAY_MS = 86_400_000;
const MICRO = 1_000_000;
/** More rows than a period of 90 days with ten models has. */
const MOST_ROWS = 1_000;

/** The last so many days in UTC, today included. */
function period(days: number): { first: string; last: string } {
  const now = Date.now();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { first: day(now - (days - 1) * DAY_MS), last: day(now) };
}

/** What models have cost on the last days. */
export function CostStatistics(props: { days: number }) {
  const { client } = useDashboard();
  const [found, { refetch }] = createResource(
    () => props.days,
    async (days) => {
      const { first, last } = period(days);
      const [models, byDay] = await Promise.all([
        client.costs({ by: 'model', since: first }),
        client.costs({ by: 'day,model', since: first, limit: MOST_ROWS }),
      ]);
      return { first, last, models, byDay };
    },
  );
  const save = async () => {
    const { first } = period(props.days);
    const text = await client.costsCsv({ by: 'day,model', since: first, limit: MOST_ROWS });
    download('costs.csv', 'text/csv', text);
  };
  return (
    <section class="section statistic" aria-labelledby="costs">
      <h2 id="costs">Cost</h2>
      <Show
        when={!found.error}
        fallback={<Problem error={found.error} retry={() => void refetch()} />}
      >
        <Show when={found.latest}>
          {(costs) => (
            <Show
              when={costs().models.total > 0}
              fallback={<p class="muted">No model was used in this period.</p>}
            >
              <Picture {...costs()} />
              <p>
                <button type="button" onClick={() => void save()}>
                  Save as CSV
                </button>
              </p>
            </Show>
          )}
        </Show>
      </Show>
    </section>
  );
}

function Picture(props: { first: string; last: string; models: Costs; byDay: Costs }) {
  const tones = createMemo(() => modelTones(props.models));
  const bars = createMemo(() => costBars(daysOf(props.first, props.last), props.byDay, tones()));
  const sum = () => props.models.sum;
  return (
    <>
      <p>
        {moneyText(sum())} for {count(sum().calls)} calls of models. Days begin in UTC; prices are
        of {props.models.prices}.
      </p>
      <Legend of={tones()} />
      <div class="picture-and-numbers">
        <Columns
          title="Cost by day and model"
          summary={`${moneyText(sum())} in all.`}
          bars={bars()}
          textOf={(value) => dollarText(value / MICRO)}
          axisOf={(value) => shortDollars(value / MICRO)}
        />
        <Numbers label="Cost by model">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Cost</th>
              <th scope="col">In</th>
              <th scope="col">Cached</th>
              <th scope="col">Out</th>
              <th scope="col">Calls</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.models.rows}>
              {(row) => (
                <tr>
                  <th scope="row">
                    <bdi>{row.keys[0] ?? 'unknown'}</bdi>
                  </th>
                  <td>{moneyText(row)}</td>
                  <td>{count(row.inputTokens)}</td>
                  <td>{count(row.cachedInputTokens)}</td>
                  <td>{count(row.outputTokens)}</td>
                  <td>{count(row.calls)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </Numbers>
      </div>
    </>
  );
}
