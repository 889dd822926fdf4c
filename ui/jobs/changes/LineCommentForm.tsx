import { createSignal } from 'solid-js';
import { Icon } from '../../shell/Icon.tsx';
import type { DiffLine } from './diff.ts';

type Say = (path: string, line: DiffLine, text: string) => Promise<boolean>;

/** Where a comment on a line may go. */
export interface OnComment {
  forge: Say;
  job: Say;
}

interface LineCommentFormProps {
  path: string;
  line: DiffLine;
  say: OnComment;
  close: () => void;
}

/** A comment on one line, for the forge, where all can read it, or for the job alone. */
export function LineCommentForm(props: LineCommentFormProps) {
  const [text, setText] = createSignal('');
  const [busy, setBusy] = createSignal(false);
  const send = async (to: 'forge' | 'job') => {
    const said = text().trim();
    if (said === '') return;
    setBusy(true);
    const taken = await props.say[to](props.path, props.line, said);
    setBusy(false);
    if (taken) props.close();
  };
  const nothing = () => busy() || text().trim() === '';
  return (
    <div class="stack">
      <textarea
        rows="3"
        aria-label={`Comment on ${props.path}, line ${props.line.after ?? props.line.before}`}
        placeholder="What about this line?"
        ref={(field) => setTimeout(() => field.focus())}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && props.close()}
      />
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={nothing()}
          onClick={() => void send('forge')}
        >
          <Icon name="merge" /> Comment on the pull request
        </button>
        <button type="button" disabled={nothing()} onClick={() => void send('job')}>
          <Icon name="chat" /> Message to the job
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          Cancel
        </button>
      </div>
    </div>
  );
}
