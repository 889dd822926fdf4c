import { createMemo, createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { CostPart } from '../../src/base/spending/costParts.ts';
import { formatDollars, formatCost, explainUnpriced } from '../../src/base/spending/formatCost.ts';
import { formatTokens } from '../../src/base/spending/tokenText.ts';
import type { CostRow, Costs } from '../../src/contract/schema/policy/costs.ts';
import { formatShortCount } from '../jobs/jobText.ts';
import { downloadText } from '../jobs/list/exportJobs.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { Kept } from '../shell/problems/Kept.tsx';
import { ColumnChart } from './ColumnChart.tsx';
import { buildCostBars, pickCostTones, listDays, formatShortDollars } from './costShapes.ts';
import { ColourLegend, NumberTable } from './NumberTable.tsx';

const DAY_MS = 86_400_000;
const MICRO = 1_000_000;
/** Most rows of one answer; days beyond it have no bar, which the page says. */
const MOST_ROWS = 1_000;
const MOST_NAMES = 100;

/** What costs can be split by here, with the words of the choice and of a row that has no name. */
const PARTS = {
  model: { says: 'Model', others: 'other models', none: 'unknown model' },
  repository: { says: 'Repository', others: 'other repositories', none: 'no repository' },
  workflow: { says: 'Workflow', others: 'other workflows', none: 'no workflow' },
  provider: { says: 'Provider', others: 'other providers', none: 'unknown provider' },
  phase: { says: 'Phase', others: 'other phases', none: 'no phase' },
  job: { says: 'Job', others: 'other models', none: 'no job' },
  day: { says: 'Day', others: 'other models', none: 'unknown' },
} as const satisfies Partial<Record<CostPart, { says: string; others: string; none: string }>>;
type CostGrouping = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as CostGrouping[];

/** What the bars of days are split by. */
const pickColourPart = (part: CostGrouping): Exclude<CostGrouping, 'day' | 'job'> =>
  part === 'day' || part === 'job' ? 'model' : part;

/** The last days in UTC, today included. */
function computePeriod(days: number): { first: string; last: string } {
  const now = Date.now();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { first: day(now - (days - 1) * DAY_MS), last: day(now) };
}

export function CostStatistics(props: { days: number }) {
  const { client } = useDashboard();
  const [part, setPart] = createSignal<CostGrouping>('model');
  const [found, { refetch }] = createReading(
    () => ({ days: props.days, by: part() }),
    async ({ days, by }) => {
      const { first, last } = computePeriod(days);
      const colours = pickColourPart(by);
      const [coloured, byDay, rows] = await Promise.all([
        client.costs({ by: colours, since: first, limit: MOST_NAMES }),
        client.costs({ by: `day,${colours}`, since: first, limit: MOST_ROWS }),
        by === colours ? null : client.costs({ by, since: first, limit: MOST_NAMES }),
      ]);
      return { first, last, by, coloured, byDay, rows: rows ?? coloured };
    },
  );
  const save = async () => {
    const { first } = computePeriod(props.days);
    const by = `day,${pickColourPart(part())}`;
    const text = await client.costsCsv({ by, since: first, limit: MOST_ROWS });
    downloadText('costs.csv', 'text/csv', text);
  };
  return (
    <section class="section statistic" aria-labelledby="costs">
      <div class="section-head">
        <h2 id="costs">Cost</h2>
        <label class="cost-by">
          by
          <select
            value={part()}
            onChange={({ currentTarget }) => {
              const chosen = PART_NAMES.find((name) => name === currentTarget.value);
              if (chosen !== undefined) setPart(chosen);
            }}
          >
            <For each={PART_NAMES}>
              {(name) => <option value={name}>{PARTS[name].says.toLowerCase()}</option>}
            </For>
          </select>
        </label>
      </div>
      <Kept reading={found} retry={() => void refetch()}>
        <Show when={found.latest} fallback={<p class="muted">Loading …</p>}>
          {(costs) => (
            <Show
              when={costs().rows.total > 0}
              fallback={<p class="muted">No model was used in this period.</p>}
            >
              <div class="cost-picture" classList={{ stale: found.loading }}>
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
      </Kept>
    </section>
  );
}

/** A job is shown by its title and leads to its page. */
function RowName(props: { part: CostGrouping; row: CostRow }) {
  const key = () => props.row.keys[0] ?? null;
  return (
    <Show
      when={props.part === 'job' && key()}
      fallback={<bdi>{key() ?? PARTS[props.part].none}</bdi>}
    >
      {(id) => (
        <a href={toJobHash(id())}>
          <bdi>{revealTurningCharacters(props.row.label ?? id())}</bdi>
        </a>
      )}
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
}

function Picture(props: PictureProps) {
  const words = () => PARTS[pickColourPart(props.by)];
  const tones = createMemo(() => pickCostTones(props.coloured, words()));
  const bars = createMemo(() =>
    buildCostBars(listDays(props.first, props.last), props.byDay, tones(), words()),
  );
  const sum = () => props.rows.sum;
  const left = () => Math.max(0, props.rows.total - props.rows.rows.length);
  return (
    <>
      <p>
        {formatCost(sum())} for {formatShortCount(sum().calls)} calls of models. Days begin in UTC;
        prices are of {props.rows.prices}.
      </p>
      <ColourLegend of={tones()} />
      <div class="picture-and-numbers">
        <ColumnChart
          title={`Cost by day and ${words().says.toLowerCase()}`}
          summary={`${formatCost(sum())} in all.`}
          bars={bars()}
          formatValue={(value) => formatDollars(value / MICRO)}
          formatAxisValue={(value) => formatShortDollars(value / MICRO)}
        />
        <NumberTable label={`Cost by ${PARTS[props.by].says.toLowerCase()}`}>
          <thead>
            <tr>
              <th scope="col">{PARTS[props.by].says}</th>
              <th scope="col">Cost</th>
              <th scope="col">In</th>
              <th scope="col">Cached</th>
              <th scope="col">Out</th>
              <th scope="col">Calls</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.rows.rows}>
              {(row) => (
                <tr>
                  <th scope="row">
                    <RowName part={props.by} row={row} />
                  </th>
                  <td>{formatCost(row)}</td>
                  <td>{formatTokens(row.inputTokens, row, formatShortCount)}</td>
                  <td>{formatTokens(row.cachedInputTokens, row, formatShortCount)}</td>
                  <td>{formatTokens(row.outputTokens, row, formatShortCount)}</td>
                  <td>{formatShortCount(row.calls)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </NumberTable>
      </div>
      <Show when={explainUnpriced(sum(), props.rows.prices)}>
        {(text) => <p class="muted">{text()}</p>}
      </Show>
      <Show when={left() > 0}>
        <p class="muted">
          {formatShortCount(left())} more {left() === 1 ? 'row is' : 'rows are'} not in the table
          but are in the total. <code>svc cost --by {props.by}</code> lists all.
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
