import { createMemo, For, Show } from 'solid-js';
import { ratingNotes, ratingWords } from '../../../src/domain/ratingWords.ts';
import type { DecisionRecord } from '../../../src/schema/decisionRecord.ts';
import { clockTime, dateTime } from '../jobText.ts';
import { RATING_TONES } from './ratingTones.ts';
import { useJob } from './jobView.ts';

/** A rating in a line, or why there was none. */
const inWords = ({ rating, skipped }: DecisionRecord): string => {
  if (rating === null) return `Not rated: ${skipped ?? ''}`;
  const { label, percent } = ratingWords(rating.goal);
  return `${label}, ${percent} %`;
};

/** What the decision layer says of the newest phase, and its earlier checks. */
export function RatingCard() {
  const { job } = useJob();
  const records = createMemo(() => job().decisionRecords.toReversed());
  const newest = () => records().find(({ rating }) => rating !== null) ?? null;
  return (
    <Show when={records().length > 0}>
      <section class="section">
        <h2>Rating</h2>
        <Show when={newest()}>
          {(record) => (
            <Show when={record().rating}>
              {(rating) => (
                <>
                  <p>
                    <span class={`pill ${RATING_TONES[ratingWords(rating().goal).label]}`}>
                      {inWords(record())}
                    </span>{' '}
                    after the phase <bdi>{record().phase}</bdi>
                  </p>
                  <For each={ratingNotes(rating())}>{(note) => <p dir="auto">{note}</p>}</For>
                </>
              )}
            </Show>
          )}
        </Show>
        <details>
          <summary>Checks: {records().length}</summary>
          <ul class="plain items">
            <For each={records()}>
              {(record) => (
                <li>
                  <bdi class="grow">
                    {record.phase}: {inWords(record)}
                  </bdi>
                  <time datetime={record.at} title={dateTime(record.at)}>
                    {clockTime(record.at)}
                  </time>
                </li>
              )}
            </For>
          </ul>
        </details>
      </section>
    </Show>
  );
}
