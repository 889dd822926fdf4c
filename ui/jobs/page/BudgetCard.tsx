import { Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { BudgetRows } from '../../budgets/BudgetRows.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import '../../budgets/budgets.css';

/** The budgets that a job is under; nothing where it has no cap. */
export function BudgetCard(props: { job: Job }) {
  const { client } = useDashboard();
  // Read again when the job has used more, and when it begins or ends something.
  const usageKey = () => `${props.job.id} ${props.job.cost?.tokens} ${props.job.updatedAt}`;
  const [reading, { refetch }] = createReading(usageKey, async () =>
    client.budgets({ job: props.job.id }),
  );
  return (
    <Show when={(reading.latest?.budgets.length ?? 0) > 0}>
      <section class="section" aria-labelledby="budgets">
        <h2 id="budgets">Budgets</h2>
        <BudgetRows
          budgets={reading.latest?.budgets ?? []}
          jobId={props.job.id}
          onChanged={() => void refetch()}
        />
      </section>
    </Show>
  );
}
