import { createMemo, For, Index, Show } from 'solid-js';
import { formatCount } from '../../../src/base/text/formatCount.ts';
import type { Review } from '../../../src/contract/schema/forge/review.ts';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { ReplyForm } from '../../shell/controls/ReplyForm.tsx';
import { formatAge, formatDateTime } from '../jobText.ts';
import { isWebUrl } from './pullRequestFacts.ts';
import type { OpenPullRequest } from './pullRequest.ts';
import { CommentBody } from './review/CommentBody.tsx';
import { type CommentActs, Draft, Threads } from './review/LineComments.tsx';
import type { PullRequestReview } from './createPullRequestReview.ts';

const STATES: Readonly<Record<Review['state'], string>> = {
  queued: 'on its way',
  sent: 'sent',
  partly: 'sent in part',
  failed: 'not sent',
};

const DECISIONS = {
  approve: 'Approved',
  request_changes: 'Changes requested',
  comment: 'Commented',
};

/** Reviews that were sent from here and of which not everything has arrived. */
function ReviewStates(props: { reviews: readonly Review[] }) {
  const open = () => props.reviews.filter(({ state }) => state !== 'sent');
  return (
    <Show when={open().length > 0}>
      <ul class="plain review-states">
        <For each={open()}>
          {(review) => (
            <li class="notice-line">
              <span>
                Review of <bdi>{review.author}</bdi>, {formatAge(review.at, nowForAges())}:{' '}
                {DECISIONS[review.verdict]}, {formatCount(review.comments.length, 'comment')},{' '}
                {STATES[review.state]}.{' '}
                <Show when={review.problem}>{(problem) => <bdi>{problem()} </bdi>}</Show>
                <For each={review.comments.filter(({ reason }) => reason !== null)}>
                  {({ path, line, reason }) => (
                    <bdi>
                      {path}
                      {line === null ? '' : `:${line}`}: {reason}{' '}
                    </bdi>
                  )}
                </For>
                <Show when={review.given.reason}>{(reason) => <bdi>{reason()} </bdi>}</Show>
                <Show when={review.given.url && isWebUrl(review.given.url) && review.given.url}>
                  {(url) => (
                    <a href={url()} target="_blank" rel="noopener noreferrer">
                      Decide there
                    </a>
                  )}
                </Show>
              </span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

/** Comments on the pull request as a whole, and of files that are not in its changes. */
export function Conversation(props: {
  open: OpenPullRequest;
  review: PullRequestReview;
  acts: CommentActs;
  jobId: string;
  comment: ((text: string) => Promise<boolean>) | null;
}) {
  const count = createMemo(
    () => props.review.conversation().length + props.review.strayThreads().length,
  );
  return (
    <details class="conversation" open={count() > 0 || props.review.strayDrafts().length > 0}>
      <summary>
        Conversation <small>{count()}</small>
      </summary>
      <ReviewStates reviews={props.open.detail()?.reviews ?? []} />
      <ul class="plain comments">
        <Index each={props.review.conversation()}>
          {(comment) => (
            <li>
              <p class="said-by">
                <strong>
                  <bdi>{comment().author}</bdi>
                </strong>{' '}
                <time class="muted" datetime={comment().at} title={formatDateTime(comment().at)}>
                  {formatAge(comment().at, nowForAges())}
                </time>
              </p>
              <CommentBody body={comment().body} lines={[]} />
            </li>
          )}
        </Index>
      </ul>
      <Threads
        threads={props.review.strayThreads()}
        file={null}
        line={null}
        review={props.review}
        acts={props.acts}
      />
      <For each={props.review.strayDrafts().map(({ id }) => id)}>
        {(id) => <Draft id={id} at={null} review={props.review} acts={props.acts} />}
      </For>
      <Show when={props.comment}>
        {(send) => (
          <ReplyForm
            draft={{ job: props.jobId, field: `comment on ${props.open.pr.prId}` }}
            label="Comment on the pull request"
            says="Comment"
            rows={2}
            send={send()}
          />
        )}
      </Show>
    </details>
  );
}
