import { For, Show } from 'solid-js';
import { formatDateTime } from '../jobs/jobText.ts';
import { type CountedRuns, describeCountedRuns, describeOtherTransition } from './countedRuns.ts';

/** How many transitions of each kind are listed. */
const MOST = 20;

/** What the numbers on the arrows of a workflow's chart count, and what no arrow shows. */
export function RunNumbers(props: { runs: CountedRuns }) {
  const others = () => props.runs.counts.others.slice(0, MOST);
  return (
    <section class="run-numbers" aria-label="Last runs">
      <h3>Last runs</h3>
      <p role="status">{describeCountedRuns(props.runs.reply)}</p>
      <Show when={props.runs.reply.since}>
        {(since) => <p class="muted">The oldest was created {formatDateTime(since())}.</p>}
      </Show>
      <Show when={others().length > 0}>
        <p>Taken without an arrow of the chart:</p>
        <ul>
          <For each={others()}>
            {(one) => (
              <li>
                <bdi>{describeOtherTransition(one)}</bdi>: {one.times}×
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}
