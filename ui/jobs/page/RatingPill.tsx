import { Show } from 'solid-js';
import { RatingMark } from '../RatingMark.tsx';
import { useJob } from './jobView.ts';
import { RatingReadout } from './RatingReadout.tsx';
import './rating.css';

/**
 * How the decision layer has rated the newest phase, which opens what it says of it; nothing where it
 * has rated none.
 */
export function RatingPill() {
  const { job } = useJob();
  return (
    <Show when={job().rating}>
      {(rating) => (
        <>
          <button type="button" class="quiet rating-pill" popovertarget="rating-readout">
            <RatingMark rating={rating()} />
          </button>
          <div id="rating-readout" class="rating-readout" popover="auto">
            <RatingReadout records={job().decisionRecords} />
          </div>
        </>
      )}
    </Show>
  );
}
