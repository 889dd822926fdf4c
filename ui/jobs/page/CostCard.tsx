import { For, Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { formatCost, explainUnpriced } from '../../../src/base/spending/formatCost.ts';
import { formatTokens } from '../../../src/base/spending/tokenText.ts';
import type { Costs, CostRow } from '../../../src/contract/schema/policy/costs.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { formatShortCount } from '../jobText.ts';

/** What the models of a job have cost, by phase and by model; sub-runs have cards of their own. */
export function CostCard(props: { job: Job }) {
  const { client } = useDashboard();
  // Read again when the job has used more.
  const usageKey = () => `${props.job.id} ${props.job.cost?.tokens} ${props.job.cost?.unpriced}`;
  const [reading] = createReading(usageKey, async () => {
    const { id } = props.job;
    const [phases, models] = await Promise.all([
      client.costs({ job: id, by: 'phase' }),
      client.costs({ job: id, by: 'model' }),
    ]);
    return { phases, models };
  });
  return (
    <Show when={reading.latest}>
      {(costs) => (
        <section class="section costs" aria-labelledby="cost">
          <div class="section-head">
            <h2 id="cost">Cost</h2>
            <small>{formatCost(costs().phases.sum)}</small>
          </div>
          <Show when={props.job.parentJobId === null && props.job.cost}>
            {(whole) => (
              <Show when={whole().tokens > toTotal(costs().phases.sum)}>
                <p>With its sub-runs: {formatCost(whole())}.</p>
              </Show>
            )}
          </Show>
          <Show when={explainUnpriced(costs().phases.sum, costs().phases.prices)}>
            {(text) => <p class="muted">{text()}</p>}
          </Show>
          <Rows label="By phase" rows={costs().phases.rows} none="unknown phase" />
          <Rows label="By model" rows={costs().models.rows} none="unknown model" />
        </section>
      )}
    </Show>
  );
}

const toTotal = ({ inputTokens, outputTokens }: Costs['sum']): number => inputTokens + outputTokens;

function Rows(props: { label: string; rows: readonly CostRow[]; none: string }) {
  return (
    <>
      <h3>{props.label}</h3>
      <ul class="plain items">
        <For each={props.rows}>
          {(row) => (
            <li>
              <bdi class="grow">{row.keys[0] ?? props.none}</bdi>
              <small>
                {formatCost(row)} · {formatTokens(toTotal(row), row, formatShortCount)} tokens
              </small>
            </li>
          )}
        </For>
      </ul>
    </>
  );
}
