import { createSignal, Match, Show, Switch } from 'solid-js';
import { FINDINGS_CUT } from '../../../src/base/agents/planNotes.ts';
import type { FindingsCard as Findings } from '../../../src/contract/schema/planning/intake.ts';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { GrowingMarkdown } from '../answer/GrowingMarkdown.tsx';
import { usePlan } from '../planContext.ts';
import { toPlanDraftOwner } from '../sessionIds.ts';
import { FindingsEditor } from './FindingsEditor.tsx';
import { ProposedChange } from './ProposedChange.tsx';

interface FindingsCardProps {
  /** As they are stored; null = none yet. */
  stored: Findings | null;
  /** What the turn that runs is writing; null = nothing. */
  writing: string | null;
}

export function FindingsCard(props: FindingsCardProps) {
  const { conversation } = usePlan();
  const draft = createDraft({ job: toPlanDraftOwner(conversation.sessionId), field: 'findings' });
  const [editing, setEditing] = createSignal(draft.text() !== '');
  const edit = () => {
    if (draft.text() === '') draft.write(props.stored?.text ?? '');
    setEditing(true);
  };
  const stop = () => {
    draft.sent();
    setEditing(false);
  };
  const canEdit = () => !editing() && props.writing === null && props.stored !== null;
  usePageKeys(() =>
    canEdit() ? [{ keys: ['e'], says: 'Edit the findings', does: { do: edit } }] : [],
  );
  return (
    <section class="findings-card" aria-labelledby="findings-title">
      <div class="section-head">
        <h2 id="findings-title">Findings</h2>
        <Show when={props.stored}>
          {(stored) => (
            <small>
              {stored().by === 'person' ? 'edited by a person' : 'written by the model'}
            </small>
          )}
        </Show>
        <Show when={canEdit()}>
          <button type="button" class="quiet" title="Edit (e)" onClick={edit}>
            Edit
          </button>
        </Show>
      </div>
      <Show when={props.writing === null && props.stored?.cut}>
        <p class="notice-line">
          <Icon name="warn" /> {FINDINGS_CUT}
        </p>
      </Show>
      <Show when={!editing() && props.stored?.proposed}>
        {(proposed) => <ProposedChange text={props.stored?.text ?? ''} proposed={proposed()} />}
      </Show>
      <Switch>
        <Match when={editing()}>
          <FindingsEditor stored={props.stored} draft={draft} close={stop} />
        </Match>
        <Match when={props.writing !== null}>
          <p class="muted">
            <span class="working-dot" aria-hidden="true" /> Being written
          </p>
          <GrowingMarkdown text={props.writing ?? ''} over={false} />
        </Match>
        <Match when={props.stored?.text}>
          {(text) => (
            <div class="findings-text">
              <GrowingMarkdown text={text()} over={true} />
            </div>
          )}
        </Match>
        <Match when={true}>
          <p class="muted">
            <Icon name="bulb" /> Findings of the chat appear here. Dispatch a job from them.
          </p>
        </Match>
      </Switch>
    </section>
  );
}
