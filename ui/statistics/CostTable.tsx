import { createMemo, For, Show } from 'solid-js';
import { formatCost } from '../../src/base/spending/formatCost.ts';
import { formatTokens } from '../../src/base/spending/tokenText.ts';
import type { CostRow, Costs } from '../../src/contract/schema/policy/costs.ts';
import { formatShortCount } from '../jobs/jobText.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { formatWholePercent } from './chartShapes.ts';
import { COST_GROUPINGS, type CostGrouping } from './costGroupings.ts';
import { computeCostShare, describeCostTrend, indexCostsBefore } from './costTrend.ts';
import { NumberTable } from './NumberTable.tsx';
import { RowBar } from './RowBar.tsx';

/** Bars are at least 1 unit long: dollars would be too few. */
const MICRO = 1_000_000;

interface CostTableProps {
  by: CostGrouping;
  rows: Costs;
  /** The same of the period of the same length before. */
  before: Costs;
  days: number;
}

/** What each repository, model and so on has cost: its share of all, and how that has changed. */
export function CostTable(props: CostTableProps) {
  const readBefore = createMemo(() => indexCostsBefore(props.before));
  // No day is in both periods.
  const hasTrend = () => props.by !== 'day';
  return (
    <NumberTable label={`Cost by ${COST_GROUPINGS[props.by].says.toLowerCase()}`}>
      <thead>
        <tr>
          <th scope="col">{COST_GROUPINGS[props.by].says}</th>
          <th scope="col">Cost</th>
          <th scope="col" class="share-head">
            Share
          </th>
          <Show when={hasTrend()}>
            <th scope="col" title={`Against the ${props.days} days before`}>
              Trend
            </th>
          </Show>
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
                <RowName by={props.by} row={row} />
              </th>
              <td>{formatCost(row)}</td>
              <td class="share-cell">
                <Share row={row} sum={props.rows.sum} />
              </td>
              <Show when={hasTrend()}>
                <td>
                  <Trend now={row.usd} before={readBefore()(row)} />
                </td>
              </Show>
              <td>{formatTokens(row.inputTokens, row, formatShortCount)}</td>
              <td>{formatTokens(row.cachedInputTokens, row, formatShortCount)}</td>
              <td>{formatTokens(row.outputTokens, row, formatShortCount)}</td>
              <td>{formatShortCount(row.calls)}</td>
            </tr>
          )}
        </For>
      </tbody>
    </NumberTable>
  );
}

/** A job is shown by its title and leads to its page. */
function RowName(props: { by: CostGrouping; row: CostRow }) {
  const key = () => props.row.keys[0] ?? null;
  return (
    <Show
      when={props.by === 'job' && key()}
      fallback={<bdi>{key() ?? COST_GROUPINGS[props.by].none}</bdi>}
    >
      {(id) => (
        <a href={toJobHash(id())}>
          <bdi>{revealTurningCharacters(props.row.label ?? id())}</bdi>
        </a>
      )}
    </Show>
  );
}

function Share(props: { row: CostRow; sum: Pick<CostRow, 'usd'> }) {
  return (
    <Show when={computeCostShare(props.row, props.sum) !== null} fallback="–">
      <RowBar
        top={MICRO * (props.sum.usd ?? 1)}
        bar={{
          label: '',
          parts: [{ tone: 'working', says: '', value: MICRO * (props.row.usd ?? 0) }],
        }}
      />
      {formatWholePercent(props.row.usd ?? 0, props.sum.usd ?? 0)}
    </Show>
  );
}

/** How a cost has changed; a dash where that is not known. */
export function Trend(props: { now: number | null; before: number | null }) {
  return (
    <Show when={describeCostTrend(props.now, props.before)} fallback="–">
      {(trend) => <span class={`cost-trend ${trend().tone}`}>{trend().text}</span>}
    </Show>
  );
}
