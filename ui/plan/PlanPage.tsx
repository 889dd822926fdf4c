import { createMemo, createSignal, Show } from 'solid-js';
import { OpenPlan } from './OpenPlan.tsx';
import { createPlanSessionId } from './sessionIds.ts';
import './plan.css';
import './answer/answer.css';
import '../jobs/changes/files/files.css';

/** Plan mode. Without an id: a new conversation, stored with its first message. */
export function PlanPage(props: { sessionId: string | null }) {
  const [round, setRound] = createSignal(0);
  // The first message gives the page its address; the conversation stays the same then.
  const open = createMemo<{ id: string; isNew: boolean; round: number }>(
    (before) => {
      const isSame = before.id === props.sessionId && before.round === round();
      if (isSame) return before;
      if (props.sessionId !== null) return { id: props.sessionId, isNew: false, round: round() };
      return { id: createPlanSessionId(), isNew: true, round: round() };
    },
    { id: '', isNew: false, round: -1 },
  );
  return (
    <Show when={open()} keyed>
      {({ id, isNew }) => (
        <OpenPlan sessionId={id} isNew={isNew} onAgain={() => setRound(round() + 1)} />
      )}
    </Show>
  );
}
