import { createMemo, createSignal, Show } from 'solid-js';
import { ComparedLines } from '../../inbox/ComparedLines.tsx';
import { pickChangedParts, compareLines } from '../../inbox/compareLines.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { usePlan } from '../planContext.ts';

/** What the model would change in a text that a person has edited: taken or left. */
export function ProposedChange(props: { text: string; proposed: string }) {
  const { client } = useDashboard();
  const { conversation, act } = usePlan();
  const [busy, setBusy] = createSignal(false);
  const parts = createMemo(() => {
    const lines = compareLines(props.text, props.proposed);
    return lines && pickChangedParts(lines);
  });
  const answer = async (proposed: 'take' | 'leave', says: string) => {
    setBusy(true);
    await act(says, () => client.saveInvestigation(conversation.sessionId, { proposed }));
    setBusy(false);
  };
  return (
    <section class="asked stack proposed" aria-labelledby="proposed-title">
      <h3 id="proposed-title">The model proposes a change to your text</h3>
      <Show when={parts() === null}>
        <p class="muted">There are too many changes to compare line by line.</p>
      </Show>
      <ComparedLines parts={parts()} />
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={busy()}
          onClick={() => void answer('take', 'The model’s version is the findings now.')}
        >
          Accept the change
        </button>
        <button
          type="button"
          disabled={busy()}
          onClick={() => void answer('leave', 'Your text stays.')}
        >
          Keep my text
        </button>
      </div>
    </section>
  );
}
