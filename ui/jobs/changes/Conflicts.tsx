import { createSignal, For, Show } from 'solid-js';
import { MAX_MESSAGE_CHARS } from '../../../src/base/limits/jobLimits.ts';
import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';

interface ConflictsProps {
  detail: JobPullRequest;
  jobId: string;
  send: (message: string) => Promise<boolean>;
}

/** What is asked where the runner has no words of its own for it. */
const composeConflictRequest = ({ base, head, conflicts }: JobPullRequest): string =>
  `The branch ${head} cannot be merged into ${base}${
    conflicts && conflicts.length > 0 ? `: both changed ${conflicts.join(', ')}` : ''
  }. Bring it up to date with ${base}, resolve the conflicts, run the tests, and push.`;

export function Conflicts(props: ConflictsProps) {
  const [asking, setAsking] = createSignal(false);
  const files = () => props.detail.conflicts ?? [];
  return (
    <Show when={props.detail.mergeable === false || files().length > 0}>
      <section class="conflicts" aria-label="Conflicts">
        <p class="notice-line">
          <Icon name="warn" />
          <span>
            Conflicts with <code>{props.detail.base}</code>
            <Show when={files().length > 0} fallback=".">
              {' '}
              in{' '}
              <For each={files()}>
                {(path, index) => (
                  <>
                    {index() > 0 ? ', ' : ''}
                    <code>{path}</code>
                  </>
                )}
              </For>
              .
            </Show>
          </span>
        </p>
        <button type="button" onClick={() => setAsking(true)}>
          Ask the agent to rebase
        </button>
        <Show when={asking()}>
          <AskToRebase {...props} close={() => setAsking(false)} />
        </Show>
      </section>
    </Show>
  );
}

function AskToRebase(props: ConflictsProps & { close: () => void }) {
  const draft = createDraft({ job: props.jobId, field: `rebase of ${props.detail.prId}` });
  if (draft.text() === '')
    draft.write(props.detail.rebaseRequest ?? composeConflictRequest(props.detail));
  return (
    <AskDialog
      title="Ask the agent to rebase"
      says="Send to the agent"
      isReady={draft.text().trim() !== ''}
      close={props.close}
      send={async () => {
        const wasTaken = await props.send(draft.text().trim());
        if (wasTaken) draft.forget();
        return wasTaken;
      }}
    >
      <label class="field">
        Message
        <textarea
          rows="6"
          dir="auto"
          maxlength={MAX_MESSAGE_CHARS}
          value={draft.text()}
          onInput={(event) => draft.write(event.currentTarget.value)}
        />
      </label>
    </AskDialog>
  );
}
