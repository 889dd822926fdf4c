import { For, Show } from 'solid-js';
import { formatRatingLine, describeRatingNotes } from '../../../src/base/jobs/labelRating.ts';
import type { DecisionRecord } from '../../../src/contract/schema/policy/decisionRecord.ts';
import { formatTimeOfDay, formatDateTime } from '../jobText.ts';
import { RatingMark } from '../RatingMark.tsx';

/** The newest rating in plain words, and earlier ones. */
export function RatingReadout(props: { records: readonly DecisionRecord[] }) {
  const records = () => props.records.filter(({ site }) => site === 'overseer').toReversed();
  const newest = () => records().find(({ rating }) => rating !== null);
  const earlier = () => records().filter((record) => record !== newest());
  return (
    <>
      <Show when={newest()} fallback={<p>No phase was rated yet.</p>}>
        {(record) => (
          <Show when={record().rating}>
            {(rating) => (
              <>
                <p>
                  <RatingMark rating={{ goal: rating().goal, flagged: record().flag !== null }} />{' '}
                  after the phase <bdi>{record().phase}</bdi>
                </p>
                <For each={describeRatingNotes(rating())}>{(note) => <p dir="auto">{note}</p>}</For>
              </>
            )}
          </Show>
        )}
      </Show>
      <Show when={earlier().length > 0}>
        <details>
          <summary>Earlier checks: {earlier().length}</summary>
          <ul class="plain items">
            <For each={earlier()}>
              {(record) => (
                <li>
                  <bdi class="grow">
                    {record.phase}: {formatRatingLine(record)}
                    {record.flag === null ? '' : ', flagged'}
                  </bdi>
                  <time datetime={record.at} title={formatDateTime(record.at)}>
                    {formatTimeOfDay(record.at)}
                  </time>
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
    </>
  );
}
