import { Show } from 'solid-js';
import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { describeApprovals, describeChecks, shortenCommit } from './pullRequestFacts.ts';
import type { PullRequestReview } from './createPullRequestReview.ts';

export function MergeDialog(props: {
  detail: JobPullRequest;
  review: PullRequestReview;
  /** The commit whose changes are shown. */
  head: string;
  close: () => void;
  send: () => Promise<boolean>;
}) {
  const files = () => props.review.files();
  const countViewed = () => files().filter(({ hash }) => props.review.viewed.has(hash)).length;
  const sum = (of: 'added' | 'removed') => files().reduce((all, file) => all + file[of], 0);
  const openThreads = () => props.detail.reviewThreads.filter(({ resolved }) => !resolved).length;
  const isWarned = () =>
    countViewed() < files().length || props.review.count() > 0 || openThreads() > 0;
  return (
    <AskDialog
      title={`Merge ${props.detail.repo}#${props.detail.number}?`}
      says="Merge"
      close={props.close}
      send={props.send}
    >
      <dl class="facts">
        <dt>Branch</dt>
        <dd>
          <code>{props.detail.head}</code> into <code>{props.detail.base}</code>
        </dd>
        <dt>Commit</dt>
        <dd>
          <code>{shortenCommit(props.head)}</code>
        </dd>
        <dt>Files</dt>
        <dd>
          {files().length}, <span class="plus">+{sum('added')}</span>{' '}
          <span class="minus">−{sum('removed')}</span>; viewed {countViewed()} of {files().length}
        </dd>
        <dt>Checks</dt>
        <dd>{describeChecks(props.detail)}</dd>
        <dt>Approvals</dt>
        <dd>
          <bdi>{describeApprovals(props.detail)}</bdi>
        </dd>
      </dl>
      <Show when={isWarned()}>
        <ul class="warnings">
          <Show when={countViewed() < files().length}>
            <li>{files().length - countViewed()} of the files are not marked as viewed.</li>
          </Show>
          <Show when={props.review.count() > 0}>
            <li>Your review with {props.review.count()} of your comments was not sent.</li>
          </Show>
          <Show when={openThreads() > 0}>
            <li>{openThreads()} threads are not resolved.</li>
          </Show>
        </ul>
      </Show>
      <p>
        A merge cannot be undone here. Only this commit is merged: if the branch has moved, nothing
        happens.
      </p>
    </AskDialog>
  );
}
