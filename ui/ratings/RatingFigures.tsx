import { For, Show } from 'solid-js';
import type { RatedBy } from '../../src/contract/schema/policy/trackRecord.ts';
import { listRatingFigures } from './listRatingFigures.ts';

const SITES: Readonly<Record<RatedBy['site'], string>> = {
  overseer: 'Phases',
  'wake-gate': 'What wakes jobs',
  lane: 'Whether a job is in the right workflow',
  'input-screen': 'Comments from outside',
  'review-lens': 'What reviews should look at',
};

/** How one provider and model have done at one place. */
export function RatingFigures(props: { of: RatedBy }) {
  return (
    <article class="rated-by">
      <h3>
        {SITES[props.of.site]}: <bdi>{props.of.provider}</bdi>, <bdi>{props.of.model}</bdi>{' '}
        <Show when={!props.of.current}>
          <span class="pill over">Earlier</span>
        </Show>
      </h3>
      <dl class="figures">
        <For each={listRatingFigures(props.of)}>
          {([name, figure]) => (
            <div>
              <dt>{name}</dt>
              <dd>{figure}</dd>
            </div>
          )}
        </For>
      </dl>
      <Show when={props.of.skips.length > 0}>
        <details>
          <summary>Why there was no answer</summary>
          <ul>
            <For each={props.of.skips}>
              {({ reason, count }) => (
                <li dir="auto">
                  {reason} ({count})
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
    </article>
  );
}
