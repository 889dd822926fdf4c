import { For, Show, untrack } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import type { CreateJobBody } from '../../../src/contract/schema/api/bodies.ts';
import { useDashboard } from '../../shell/dashboard.ts';

/**
 * What the job of a request may use, in words: at worst by its caps, most likely by past runs, and
 * the cap that stops it. A request that is refused has no estimate: dispatching it says why.
 */
export function JobEstimate(props: { body: CreateJobBody }) {
  const { client } = useDashboard();
  // Of the request as the dialog was opened with it: once it is sent, the form is empty.
  const body = untrack(() => props.body);
  const [found] = createReading(() => client.estimateJob(body).catch(() => null), {
    initialValue: null,
  });
  return (
    <section class="job-estimate" aria-label="Estimate" aria-busy={found.loading}>
      <Show
        when={found.latest}
        fallback={<p class="muted">{found.loading ? 'Estimating …' : 'No estimate.'}</p>}
      >
        {(estimate) => (
          <ul class="plain">
            <For each={estimate().text}>{(says) => <li dir="auto">{says}</li>}</For>
          </ul>
        )}
      </Show>
    </section>
  );
}
