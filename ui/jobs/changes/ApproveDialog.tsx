import type { JobPullRequest } from '../../../src/contract/schema/forge/review.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { describeChecks, shortenCommit } from './pullRequestFacts.ts';
import type { PullRequestReview } from './createPullRequestReview.ts';

/** Asks before an approval that svc keeps, with what it is for and what it is not. */
export function ApproveDialog(props: {
  detail: JobPullRequest;
  review: PullRequestReview;
  /** The commit whose changes are shown. */
  head: string;
  close: () => void;
  send: () => Promise<boolean>;
}) {
  const files = () => props.review.files();
  const viewed = () => files().filter(({ hash }) => props.review.viewed.has(hash)).length;
  return (
    <AskDialog
      title={`Approve ${props.detail.repo}#${props.detail.number} in svc?`}
      says="Approve in svc"
      close={props.close}
      send={props.send}
    >
      <dl class="facts">
        <dt>Commit</dt>
        <dd>
          <code>{shortenCommit(props.head)}</code>
        </dd>
        <dt>Files</dt>
        <dd>
          viewed {viewed()} of {files().length}
        </dd>
        <dt>Checks</dt>
        <dd>{describeChecks(props.detail)}</dd>
      </dl>
      <p>
        svc keeps the approval, and its agent may merge exactly this commit where its workflow
        allows merges. Nothing is sent to {props.detail.forge}. A new commit voids it.
      </p>
    </AskDialog>
  );
}
