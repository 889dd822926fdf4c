import { createSignal, Show } from 'solid-js';
import { describePhaseOutcome } from '../../src/base/jobs/describePhaseOutcome.ts';
import type { DecisionEntry } from '../../src/contract/schema/policy/decisionEntry.ts';
import { useDashboard } from '../shell/dashboard.ts';

export function LabelRating(props: {
  entry: DecisionEntry;
  onLabelled: (entry: DecisionEntry) => void;
}) {
  const { run } = useDashboard();
  const [note, setNote] = createSignal('');
  const [busy, setBusy] = createSignal(false);
  const say = async (verdict: 'good' | 'bad' | null) => {
    const { jobId: job, key } = props.entry;
    setBusy(true);
    await run(
      verdict === null ? 'Label removed.' : `Labelled: the work was ${verdict}.`,
      async (client) =>
        props.onLabelled(
          await client.labelDecision({
            job,
            key,
            verdict,
            ...(note() === '' ? {} : { note: note() }),
          }),
        ),
    );
    setBusy(false);
  };
  return (
    <div class="stack label-rating">
      <p>
        Outcome of the work: {describePhaseOutcome(props.entry.outcome)}
        <Show when={props.entry.label?.note}>
          {(text) => <span dir="auto"> (“{text()}”)</span>}
        </Show>
      </p>
      <label class="field">
        Why (optional)
        <input
          value={note()}
          maxlength={2000}
          autocomplete="off"
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button
          type="button"
          disabled={busy()}
          aria-pressed={props.entry.label?.verdict === 'good'}
          onClick={() => void say('good')}
        >
          The work was good
        </button>
        <button
          type="button"
          disabled={busy()}
          aria-pressed={props.entry.label?.verdict === 'bad'}
          onClick={() => void say('bad')}
        >
          The work was bad
        </button>
        <Show when={props.entry.label}>
          <button type="button" class="quiet" disabled={busy()} onClick={() => void say(null)}>
            Take it back
          </button>
        </Show>
      </div>
    </div>
  );
}
