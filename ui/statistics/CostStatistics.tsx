import { createMemo, createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { explainUnpriced, formatCost, formatDollars } from '../../src/base/spending/formatCost.ts';
import type { Costs } from '../../src/contract/schema/policy/costs.ts';
import { formatShortCount } from '../jobs/jobText.ts';
import { downloadText } from '../jobs/list/exportJobs.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { BudgetShares } from './BudgetShares.tsx';
import { ColumnChart } from './ColumnChart.tsx';
import { buildCostBars, pickCostTones, listDays, formatShortDollars } from './costShapes.ts';
import {
  COST_GROUPINGS,
  type CostGrouping,
  listCostGroupings,
  pickColourPart,
} from './costGroupings.ts';
import { CostTable } from './CostTable.tsx';
import { describeCostTrend } from './costTrend.ts';
import { ColourLegend } from './NumberTable.tsx';
import { TopJobs } from './TopJobs.tsx';

const DAY_MS = 86_400_000;
const MICRO = 1_000_000;
/** Most rows of one answer; days beyond it have no bar, which the page says. */
const MOST_ROWS = 1_000;
const MOST_NAMES = 100;
const TOP_JOBS = 5;

/** The last days in UTC, today included; `before`: where the period of the same length before begins. */
function computePeriod(days: number): { first: string; last: string; before: string } {
  const now = Date.now();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return {
    first: day(now - (days - 1) * DAY_MS),
    last: day(now),
    before: day(now - (2 * days - 1) * DAY_MS),
  };
}

/** `isQuiet`: nothing is said where no job ran and no model was used. */
export function CostStatistics(props: { days: number; isQuiet: boolean }) {
  const { client, team } = useDashboard();
  const groupings = () => listCostGroupings(team !== null);
  const [part, setPart] = createSignal<CostGrouping>('model');
  const [reading, { refetch }] = createReading(
    () => ({ days: props.days, by: part() }),
    async ({ days, by }) => {
      const { first, last, before: start } = computePeriod(days);
      const colours = pickColourPart(by);
      const [coloured, byDay, before, top, rows] = await Promise.all([
        client.costs({ by: colours, since: first, limit: MOST_NAMES }),
        client.costs({ by: `day,${colours}`, since: first, limit: MOST_ROWS }),
        // Up to the same time of day would be fairer to today, and would be read from single calls.
        client.costs({ by, since: start, until: first, limit: MOST_ROWS }),
        client.costs({ by: 'campaign', since: first, limit: TOP_JOBS }),
        by === colours ? null : client.costs({ by, since: first, limit: MOST_NAMES }),
      ]);
      return { first, last, days, by, coloured, byDay, before, top, rows: rows ?? coloured };
    },
  );
  const save = async () => {
    const { first } = computePeriod(props.days);
    const by = `day,${pickColourPart(part())}`;
    const text = await client.costsCsv({ by, since: first, limit: MOST_ROWS });
    downloadText('costs.csv', 'text/csv', text);
  };
  const isShown = () => !props.isQuiet || (reading.latest?.rows.total ?? 0) > 0;
  return (
    <Show when={isShown()}>
      <section class="section statistic" aria-labelledby="costs">
        <div class="section-head">
          <h2 id="costs">Cost</h2>
          <label class="cost-by">
            by
            <select
              value={part()}
              onChange={({ currentTarget }) => {
                const chosenGrouping = groupings().find((name) => name === currentTarget.value);
                if (chosenGrouping !== undefined) setPart(chosenGrouping);
              }}
            >
              <For each={groupings()}>
                {(name) => <option value={name}>{COST_GROUPINGS[name].says.toLowerCase()}</option>}
              </For>
            </select>
          </label>
        </div>
        <ReadingView reading={reading} retry={() => void refetch()}>
          <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
            {(costs) => (
              <Show
                when={costs().rows.total > 0}
                fallback={<p class="muted">No model was used in this period.</p>}
              >
                <div class="cost-picture reread" aria-busy={reading.isOld}>
                  <Picture {...costs()} />
                </div>
                <p>
                  <button type="button" onClick={() => void save()}>
                    Save as CSV
                  </button>
                </p>
              </Show>
            )}
          </Show>
        </ReadingView>
      </section>
    </Show>
  );
}

interface PictureProps {
  first: string;
  last: string;
  by: CostGrouping;
  /** By what the bars are split by, in all and by day. */
  coloured: Costs;
  byDay: Costs;
  rows: Costs;
  /** The rows of the period before. */
  before: Costs;
  days: number;
  top: Costs;
}

function Picture(props: PictureProps) {
  const words = () => COST_GROUPINGS[pickColourPart(props.by)];
  const tones = createMemo(() => pickCostTones(props.coloured, words()));
  const bars = createMemo(() =>
    buildCostBars(listDays(props.first, props.last), props.byDay, tones(), words()),
  );
  const sum = () => props.rows.sum;
  // Against nothing every cost is new, which says nothing.
  const trend = () =>
    props.before.sum.calls === 0 ? null : describeCostTrend(sum().usd, props.before.sum.usd);
  const countRemaining = () => Math.max(0, props.rows.total - props.rows.rows.length);
  return (
    <>
      <p>
        {sum().calls === 0
          ? 'No call of a model was reported'
          : `${formatCost(sum())} for ${formatShortCount(sum().calls)} ${sum().calls === 1 ? 'call' : 'calls'} of models`}
        <Show when={trend()}>
          {(one) => (
            <>
              {', '}
              <span class={`cost-trend ${one().tone}`}>{one().text}</span> against the {props.days}{' '}
              days before ({formatCost(props.before.sum)})
            </>
          )}
        </Show>
        . Days begin in UTC; prices are of {props.rows.prices}.
      </p>
      <Show when={(sum().usd ?? 0) > 0}>
        <ColourLegend of={tones()} />
      </Show>
      <div class="picture-and-numbers">
        {/* Without a price there is nothing to draw. */}
        <Show when={(sum().usd ?? 0) > 0}>
          <ColumnChart
            title={`Cost by day and ${words().says.toLowerCase()}`}
            summary={`${formatCost(sum())} in all.`}
            bars={bars()}
            formatValue={(value) => formatDollars(value / MICRO)}
            formatAxisValue={(value) => formatShortDollars(value / MICRO)}
          />
        </Show>
        <div class="cost-notes">
          <BudgetShares />
          <TopJobs rows={props.top.rows} />
        </div>
      </div>
      <CostTable by={props.by} rows={props.rows} before={props.before} days={props.days} />
      <Show when={explainUnpriced(sum(), props.rows.prices)}>
        {(text) => <p class="muted">{text()}</p>}
      </Show>
      <Show when={countRemaining() > 0}>
        <p class="muted">
          {formatShortCount(countRemaining())} more {countRemaining() === 1 ? 'row is' : 'rows are'}{' '}
          not in the table but are in the total. <code>svc cost --by {props.by}</code> lists all.
        </p>
      </Show>
      <Show when={props.byDay.total > props.byDay.rows.length}>
        <p class="muted">
          Some days are not drawn: the chart would have more than {formatShortCount(MOST_ROWS)}{' '}
          parts.
        </p>
      </Show>
    </>
  );
}
