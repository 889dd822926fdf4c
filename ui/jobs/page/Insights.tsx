import { For } from 'solid-js';
import { Icon } from '../../shell/Icon.tsx';
import { useJob } from './jobView.ts';

/**
 * What the agents have learned; what is wrong can be taken away, so that no later session believes
 * it, and what every job should know can be proposed for the memory.
 */
export function Insights(props: {
  remove: (insightId: string) => Promise<boolean>;
  promote: (insightId: string) => Promise<boolean>;
}) {
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
              <button
                type="button"
                class="quiet icon-only"
                aria-label={`Propose for the memory: ${insight.text.slice(0, 80)}`}
                title="Propose for the memory"
                onClick={() => void props.promote(insight.id)}
              >
                <Icon name="star" />
              </button>
              <button
                type="button"
                class="quiet icon-only"
                aria-label={`Remove the insight: ${insight.text.slice(0, 80)}`}
                title="Remove"
                onClick={() => void props.remove(insight.id)}
              >
                <Icon name="trash" />
              </button>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
