import { Show } from 'solid-js';
import { labelRating, type RatingWords } from '../../src/base/jobs/labelRating.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import type { Tone } from './jobText.ts';

const RATING_TONES: Readonly<Record<RatingWords['label'], Tone>> = {
  'On track': 'good',
  'Needs a look': 'waiting',
  'Off track': 'bad',
};

/** How a phase was rated; the same percentage everywhere. `short`: the percentage alone. */
export function RatingMark(props: { rating: { goal: number; flagged: boolean }; short?: boolean }) {
  const words = () => labelRating(props.rating.goal);
  return (
    <span
      class={`pill rating ${RATING_TONES[words().label]}`}
      title={`${words().label}: ${words().percent} % likely to serve the objective${props.rating.flagged ? '; flagged' : ''}`}
    >
      <Show when={props.rating.flagged}>
        <Icon name="warn" />
        <span class="visually-hidden">Flagged: </span>
      </Show>
      <Show when={props.short} fallback={`${words().label} ${words().percent} %`}>
        <span class="visually-hidden">{words().label} </span>
        {words().percent} %
      </Show>
    </span>
  );
}
