import { createMemo, Show } from 'solid-js';
import { ratingWords } from '../../../src/domain/ratingWords.ts';
import { RATING_TONES } from './ratingTones.ts';
import { useJob } from './jobView.ts';

/** How the decision layer has rated the newest phase; nothing where it has rated none. */
export function RatingPill() {
  const { job } = useJob();
  const newest = createMemo(
    () => job().decisionRecords.findLast(({ rating }) => rating !== null) ?? null,
  );
  return (
    <Show when={newest()?.rating}>
      {(rating) => {
        const words = () => ratingWords(rating().goal);
        return (
          <span
            class={`pill ${RATING_TONES[words().label]}`}
            title={`Rating of the phase ${newest()?.phase}: how likely the work serves the objective`}
          >
            {words().label} {words().percent} %
          </span>
        );
      }}
    </Show>
  );
}
