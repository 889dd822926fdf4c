import { Show } from 'solid-js';
import { RatingMark } from '../RatingMark.tsx';
import { useJob } from './jobView.ts';
import { RatingReadout } from './RatingReadout.tsx';
import './rating.css';

/** The newest phase's rating, which opens its details; nothing where none is rated. */
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
