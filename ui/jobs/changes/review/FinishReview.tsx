import { For, Show } from 'solid-js';
import { MAX_COMMENT_CHARS } from '../../../../src/base/limits/inputLimits.ts';
import type {
  JobPullRequest,
  ReviewVerdict,
} from '../../../../src/contract/schema/forge/review.ts';
import { AskDialog } from '../../../shell/controls/AskDialog.tsx';
import { isWebUrl } from '../pullRequestFacts.ts';
import type { PullRequestReview } from '../createPullRequestReview.ts';
import { listWrittenComments } from './reviewDraft.ts';

const VERDICTS: readonly (readonly [ReviewVerdict, string, string])[] = [
  ['comment', 'Comment', 'Remarks without a decision.'],
  ['approve', 'Approve', 'The changes may be merged.'],
  ['request_changes', 'Request changes', 'They must not be merged as they are.'],
];

/** What the button says: how much is sent, and what is decided. */
function formatSendLabel(verdict: ReviewVerdict, comments: number): string {
  const many = comments === 1 ? '1 comment' : `${comments} comments`;
  if (verdict === 'comment') return comments === 0 ? 'Send comment' : `Send ${many}`;
  const decision = verdict === 'approve' ? 'Approve' : 'Request changes';
  return comments === 0 ? decision : `${decision}, ${many}`;
}

/** The last step of a review: what is decided, and everything that is sent with it at once. */
export function FinishReview(props: {
  detail: JobPullRequest;
  review: PullRequestReview;
  close: () => void;
  send: () => Promise<boolean>;
}) {
  const draft = () => props.review.draft();
  const comments = () => listWrittenComments(draft());
  const verdict = (): ReviewVerdict =>
    props.detail.verdicts.includes(draft().verdict) ? draft().verdict : 'comment';
  const isNothing = () =>
    verdict() === 'comment' && comments().length === 0 && draft().summary.trim() === '';
  return (
    <AskDialog
      title="Finish your review"
      says={formatSendLabel(verdict(), comments().length)}
      isReady={!isNothing()}
      close={props.close}
      send={props.send}
    >
      <fieldset class="stack verdicts">
        <legend class="label">Decision</legend>
        <For each={VERDICTS.filter(([value]) => props.detail.verdicts.includes(value))}>
          {([value, says, means]) => (
            <label class="row">
              <input
                type="radio"
                name="verdict"
                checked={verdict() === value}
                // Without it the dialog would focus the first choice, from which Tab leads to the
                // chosen one.
                autofocus={verdict() === value}
                onChange={() => props.review.set({ verdict: value })}
              />
              <span>
                {says} <small>{means}</small>
              </span>
            </label>
          )}
        </For>
      </fieldset>
      <Show when={props.detail.verdictsElsewhere}>
        {(why) => (
          <p class="muted">
            {why()}{' '}
            <Show when={isWebUrl(props.detail.url)}>
              <a href={props.detail.url} target="_blank" rel="noopener noreferrer">
                Decide on {props.detail.forge}
              </a>
            </Show>
          </p>
        )}
      </Show>
      <label class="field">
        Summary
        <textarea
          rows="4"
          dir="auto"
          maxlength={MAX_COMMENT_CHARS}
          placeholder={
            comments().length > 0 || verdict() !== 'comment' ? 'Optional' : 'What do you think?'
          }
          value={draft().summary}
          onInput={(event) => props.review.set({ summary: event.currentTarget.value })}
        />
      </label>
      <Show when={comments().length > 0}>
        <ul class="review-comments">
          <For each={comments()}>
            {({ path, line, replyTo, body }) => (
              <li>
                <bdi dir="ltr">{replyTo === null ? `${path}:${line}` : `Reply in ${path}`}</bdi>{' '}
                <small dir="auto">{body.slice(0, 100)}</small>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <p class="muted">The agent gets everything at once, as one message. Ctrl+Enter sends it.</p>
    </AskDialog>
  );
}
