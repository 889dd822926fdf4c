import { For } from 'solid-js';
import { InsightButtons } from '../../insights/InsightButtons.tsx';
import { Icon } from '../../shell/controls/Icon.tsx';
import { useJob } from './jobView.ts';

/** What the agents have learned. */
export function Insights() {
  const { job } = useJob();
  return (
    <section class="section">
      <h2>Insights</h2>
      <ul class="plain items">
        <For each={job().insights}>
          {(insight) => (
            <li>
              <Icon name="bulb" />
              <span class="grow">
                <bdi>{insight.text}</bdi> <small>{insight.category}</small>
              </span>
              <InsightButtons jobId={job().id} insight={insight} />
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
