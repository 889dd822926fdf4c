import { createSignal, Show } from 'solid-js';
import { Dialog } from '../shell/controls/Dialog.tsx';
import { createDraft } from '../shell/drafts/drafts.ts';
import { Icon } from '../shell/controls/Icon.tsx';

/** What a workflow's id may be. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

export function NewWorkflow(props: { taken: readonly string[]; begin: (name: string) => void }) {
  const [open, setOpen] = createSignal(false);
  const draft = createDraft({ job: 'workflows', field: 'name of a new one' });
  const name = draft.text;
  const problem = () => {
    if (name() === '') return null;
    if (!NAME.test(name())) return 'Use a to z, digits and hyphens, at most 64 characters.';
    return props.taken.includes(`workflows/${name()}.md`)
      ? 'A workflow with this name exists.'
      : null;
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="plus" /> New workflow
      </button>
      <Show when={open()}>
        <Dialog label="New workflow" close={() => setOpen(false)}>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (name() === '' || problem() !== null) return;
              setOpen(false);
              props.begin(name());
              draft.forget();
            }}
          >
            <h2>New workflow</h2>
            <div class="field">
              <label for="workflow-name">Name</label>
              <input
                id="workflow-name"
                value={name()}
                onInput={({ currentTarget }) => draft.write(currentTarget.value)}
                aria-describedby="workflow-name-problem"
                aria-invalid={problem() !== null}
                autocomplete="off"
                spellcheck={false}
              />
              <small id="workflow-name-problem">
                {problem() ?? `File: workflows/${name() || '…'}.md`}
              </small>
            </div>
            <div class="row">
              <button type="submit" class="primary" disabled={name() === '' || problem() !== null}>
                Create
              </button>
              <button type="button" onClick={() => setOpen(false)}>
                Cancel
              </button>
            </div>
          </form>
        </Dialog>
      </Show>
    </>
  );
}
