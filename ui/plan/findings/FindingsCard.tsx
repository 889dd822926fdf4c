import { createSignal, Match, Show, Switch, createMemo } from 'solid-js';
import { FINDINGS_CUT } from '../../../src/base/agents/planNotes.ts';
import type { FindingsCard as Findings } from '../../../src/contract/schema/planning/intake.ts';
import { copyMarkdown } from '../../shell/controls/copyMarkdown.ts';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { GrowingMarkdown } from '../answer/GrowingMarkdown.tsx';
import { usePlan } from '../planContext.ts';
import { toPlanDraftOwner } from '../sessionIds.ts';
import { FindingsEditor } from './FindingsEditor.tsx';
import { ComparedLines } from '../../inbox/ComparedLines.tsx';
import { pickChangedParts, compareLines } from '../../inbox/compareLines.ts';
import { useDashboard } from '../../shell/dashboard.ts';

/** What the model would change in a text that a person has edited: taken or left. */
function ProposedChange(props: { text: string; proposed: string }) {
  const { client } = useDashboard();
  const { conversation, act } = usePlan();
  const [busy, setBusy] = createSignal(false);
  const parts = createMemo(() => {
    const lines = compareLines(props.text, props.proposed);
    return lines && pickChangedParts(lines);
  });
  const answer = async (choice: 'take' | 'leave', says: string) => {
    setBusy(true);
    await act(says, () => client.saveInvestigation(conversation.sessionId, { proposed: choice }));
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

interface FindingsCardProps {
  /** As they are stored; null = none yet. */
  stored: Findings | null;
  /** What the turn that runs is writing; null = nothing. */
  writing: string | null;
}

export function FindingsCard(props: FindingsCardProps) {
  const { shell } = useDashboard();
  const { conversation } = usePlan();
  const draft = createDraft({ job: toPlanDraftOwner(conversation.sessionId), field: 'findings' });
  const [editing, setEditing] = createSignal(draft.text() !== '');
  const edit = () => {
    if (draft.text() === '') draft.write(props.stored?.text ?? '');
    setEditing(true);
  };
  const stop = () => {
    draft.forget();
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
          {(storedFindings) => (
            <small>
              {storedFindings().by === 'person' ? 'edited by a person' : 'written by the model'}
            </small>
          )}
        </Show>
        <Show when={props.stored?.text}>
          {(text) => (
            <button
              type="button"
              class="quiet icon-only"
              aria-label="Copy as Markdown"
              title="Copy as Markdown"
              onClick={() => void copyMarkdown(shell, 'findings', text())}
            >
              <Icon name="copy" />
            </button>
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
        {(proposedText) => (
          <ProposedChange text={props.stored?.text ?? ''} proposed={proposedText()} />
        )}
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
