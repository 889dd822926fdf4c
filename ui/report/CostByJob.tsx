import { For, Show } from 'solid-js';
import { formatCost } from '../../src/base/spending/formatCost.ts';
import { formatTokens } from '../../src/base/spending/tokenText.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import { formatShortCount } from '../jobs/jobText.ts';
import { toRouteHash, toJobHash } from '../shell/navigation/router.ts';
import { NumberTable } from '../statistics/NumberTable.tsx';

/** What the models of each job, and of each chat of plan mode, have cost in the period. */
export function CostByJob(props: { report: Report }) {
  return (
    <section class="section" aria-labelledby="costs">
      <div class="section-head">
        <h2 id="costs">Cost by job</h2>
        <small>{formatCost(props.report.cost)}</small>
      </div>
      <NumberTable label="Cost, tokens and calls of each job">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Cost</th>
            <th scope="col">Tokens</th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.report.costs}>
            {({ jobId, title, cost }) => (
              <tr>
                <th scope="row">
                  <JobCostLabel id={jobId} title={title} />
                </th>
                <td>{formatCost(cost)}</td>
                <td>
                  {formatTokens(cost.inputTokens + cost.outputTokens, cost, formatShortCount)}
                </td>
                <td>{formatShortCount(cost.calls)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </NumberTable>
      <Show when={props.report.costsOf > props.report.costs.length}>
        <p class="muted">
          The {props.report.costs.length} most expensive of {formatShortCount(props.report.costsOf)}
          .
        </p>
      </Show>
    </section>
  );
}

function JobCostLabel(props: { id: string | null; title: string | null }) {
  const name = () => props.title ?? props.id ?? 'unknown';
  const chat = () => /^chat:(.+)$/.exec(props.id ?? '')?.[1];
  return (
    <Show when={props.id} fallback={<bdi>{name()}</bdi>}>
      {(id) => (
        <a href={chat() === undefined ? toJobHash(id()) : toRouteHash(['plan', chat() ?? ''])}>
          <bdi>{name()}</bdi>
        </a>
      )}
    </Show>
  );
}
