import { Show } from 'solid-js';
import { CommentBody } from './CommentBody.tsx';
import { Composer } from './Composer.tsx';
import type { DraftComment } from './reviewDraft.ts';

interface DraftCardProps {
  comment: DraftComment;
  lines: readonly string[];
  starts: readonly number[];
  /** Why it is not at its line; null = it is. */
  misplaced: string | null;
  change: (change: Partial<DraftComment>) => void;
  remove: () => void;
  added: () => void;
  sendNow: (() => Promise<boolean>) | null;
}

export function DraftCard(props: DraftCardProps) {
  return (
    <div class="draft-comment">
      <Show when={props.misplaced}>{(why) => <p class="notice-line">{why()}</p>}</Show>
      <Show
        when={props.comment.writing}
        fallback={
          <>
            <p class="row said-by">
              <span class="pill needs-you">Not sent yet</span>
              <button type="button" class="link" onClick={() => props.change({ writing: true })}>
                Edit
              </button>
              <button type="button" class="link" onClick={() => props.remove()}>
                Discard
              </button>
            </p>
            <CommentBody body={props.comment.body} lines={props.lines} />
          </>
        }
      >
        <Composer
          comment={props.comment}
          lines={props.lines}
          starts={props.starts}
          change={props.change}
          add={() => {
            props.change({ writing: false });
            props.added();
          }}
          sendNow={props.sendNow}
          remove={() => {
            props.remove();
            props.added();
          }}
        />
      </Show>
    </div>
  );
}
