import type { Client } from '../../../src/api/client/client.ts';
import type {
  ReviewBody,
  ReviewCommentBody,
  ReviewVerdict,
} from '../../../src/contract/schema/forge/review.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useJob } from '../page/jobView.ts';
import type { FilesView } from './files/filesView.ts';
import type { OpenPullRequest } from './pullRequest.ts';
import type { CommentActs } from './review/LineComments.tsx';
import {
  listWrittenComments,
  toReviewCommentBody,
  quoteComment,
  type DraftComment,
} from './review/reviewDraft.ts';
import type { PullRequestReview } from './createPullRequestReview.ts';

/** Comments at their lines; those whose file is gone become part of the summary. */
function buildReviewBody(
  review: Pick<PullRequestReview, 'fileAt'>,
  {
    head,
    verdict,
    summary,
    comments,
  }: { head: string; verdict: ReviewVerdict; summary: string; comments: readonly DraftComment[] },
): ReviewBody {
  const placedComments: ReviewCommentBody[] = [];
  const texts = summary.trim() === '' ? [] : [summary.trim()];
  for (const comment of comments) {
    const body = toReviewCommentBody(comment, review.fileAt(comment.path));
    if (body) placedComments.push(body);
    else texts.push(quoteComment(comment));
  }
  return {
    head,
    verdict,
    ...(texts.length === 0 ? {} : { body: texts.join('\n\n') }),
    ...(placedComments.length === 0 ? {} : { comments: placedComments }),
  };
}

interface ReviewActsOptions {
  open: OpenPullRequest;
  review: PullRequestReview;
  view: FilesView;
}

/** Works also where the page has no secure origin, as randomUUID does not. */
const createRandomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join('-');

/** What a person can do with a pull request; each reports the outcome. */
export function createReviewActs({ open, review, view }: ReviewActsOptions) {
  const { shell } = useDashboard();
  const { job, command } = useJob();
  const { pr } = open;

  const act = async (says: string, send: (to: Client) => Promise<unknown>): Promise<boolean> => {
    const wasTaken = await command(says, send);
    // Not awaited, so that the dialog closes now and not after this read.
    void open.readDetail();
    return wasTaken;
  };
  // The same review, sent again because its answer was lost, is one review.
  let unansweredReview: { text: string; key: string } | null = null;
  const sendReview = async (says: string, body: ReviewBody): Promise<boolean> => {
    const text = JSON.stringify(body);
    if (unansweredReview?.text !== text) unansweredReview = { text, key: createRandomKey() };
    const { key } = unansweredReview;
    const wasTaken = await act(says, (to) =>
      to.reviewPullRequest(job().id, pr.prId, body, { idempotencyKey: key }),
    );
    if (wasTaken) unansweredReview = null;
    return wasTaken;
  };
  const resolve = (threadId: string, resolved: boolean) =>
    act(resolved ? 'Thread resolved.' : 'Thread reopened.', (to) =>
      resolved
        ? to.resolveReviewThread(job().id, pr.prId, threadId)
        : to.unresolveReviewThread(job().id, pr.prId, threadId),
    );
  const comments: CommentActs = {
    canComment: open.takesReviews,
    async sendNow(comment) {
      const head = open.head();
      if (head === null) return false;
      const about = { head, verdict: 'comment', summary: '', comments: [comment] } as const;
      const body = buildReviewBody(review, about);
      const wasTaken = await sendReview('Comment sent.', body);
      if (wasTaken) review.remove(comment.id);
      return wasTaken;
    },
    resolve: () => (open.takesReviews() && open.detail()?.resolvable ? resolve : null),
    onDone: (at) => at && view.focus(at),
  };

  return {
    comments,
    message: (text: string) =>
      act('Message sent.', (to) => to.message(job().id, { message: text })),
    /** A comment on all of it, sent at once. */
    async commentOnAll(text: string): Promise<boolean> {
      const head = open.head();
      if (head === null) return false;
      return sendReview('Comment sent.', { head, verdict: 'comment', body: text });
    },
    async send(): Promise<boolean> {
      const head = open.head();
      const { verdict, summary } = review.draft();
      if (head === null) return false;
      const possible = open.detail()?.verdicts.includes(verdict) ? verdict : 'comment';
      const comments = listWrittenComments(review.draft());
      const body = buildReviewBody(review, { head, verdict: possible, summary, comments });
      const wasTaken = await sendReview('Review sent.', body);
      if (wasTaken) review.onSent();
      return wasTaken;
    },
    async approveInSvc(): Promise<boolean> {
      const head = open.head();
      if (head === null) return false;
      return act('Approved in svc.', (to) => to.approveInSvc(job().id, pr.prId, { head }));
    },
    /** Only what is shown: with newer commits nothing is merged, and the page announces them. */
    async merge(): Promise<boolean> {
      const head = open.head();
      if (head === null) return false;
      await open.readDetail();
      if (open.isOutdated()) {
        shell.trigger.failed({
          text: 'Not merged',
          error: new Error('The branch has new commits. Look at them first.'),
        });
        return true;
      }
      return act('Merged.', (to) => to.mergePullRequest(pr.repo, pr.number, { head }));
    },
  };
}
