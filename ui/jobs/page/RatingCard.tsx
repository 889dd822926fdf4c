import { Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { LabelRating } from '../LabelRating.tsx';
import { useJob } from './jobView.ts';
import { RatingReadout } from './RatingReadout.tsx';

/** What the decision layer says of the newest phase; a person says here how its work was. */
export function RatingCard() {
  const { client } = useDashboard();
  const { job } = useJob();
  // By what can change it: a record more, or a state in which a person has decided something.
  const stamp = () =>
    job().decisionRecords.length === 0
      ? null
      : `${job().id} ${job().decisionRecords.length} ${job().updatedAt}`;
  const [entry, { mutate }] = createReading(stamp, async () => {
    const { decisions } = await client.decisions({
      job: job().id,
      site: 'overseer',
      skipped: 'false',
      limit: 1,
    });
    return decisions[0] ?? null;
  });
  return (
    <Show when={job().decisionRecords.length > 0}>
      <section class="section">
        <h2>Rating</h2>
        <RatingReadout records={job().decisionRecords} />
        <Show when={entry.error ? null : entry.latest}>
          {(found) => <LabelRating entry={found()} onLabelled={(now) => mutate(() => now)} />}
        </Show>
      </section>
    </Show>
  );
}
