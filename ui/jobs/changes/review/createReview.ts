import { createMemo } from 'solid-js';
import { createDraft } from '../../../shell/drafts/drafts.ts';
import {
  type DraftComment,
  computeNextCommentId,
  type ReviewDraft,
  readReviewDraft,
  serializeReviewDraft,
} from './reviewDraft.ts';

interface ReviewInWork {
  draft: () => ReviewDraft;
  /** Opens a field for a comment, or the one that is open at this place; answers its id. */
  begin: (comment: Omit<DraftComment, 'id' | 'body' | 'writing'>) => number;
  change: (id: number, change: Partial<DraftComment>) => void;
  remove: (id: number) => void;
  set: (change: Partial<Pick<ReviewDraft, 'summary' | 'verdict'>>) => void;
  /** To be called when it was sent. */
  sent: () => void;
}

/** Kept with the drafts of the job: it survives a reload, and everything else but the tab. */
export function createReview(job: string, prId: string): ReviewInWork {
  const kept = createDraft({ job, field: `review of ${prId}` });
  const draft = createMemo(() => readReviewDraft(kept.text()));
  const write = (next: ReviewDraft) => kept.write(serializeReviewDraft(next));
  return {
    draft,
    begin(comment) {
      const now = draft();
      const known = now.comments.find(
        ({ path, side, line, replyTo, writing }) =>
          writing &&
          path === comment.path &&
          side === comment.side &&
          line === comment.line &&
          replyTo === comment.replyTo,
      );
      if (known) return known.id;
      const id = computeNextCommentId(now);
      write({ ...now, comments: [...now.comments, { ...comment, id, body: '', writing: true }] });
      return id;
    },
    change(id, change) {
      const comments = draft().comments.map((one) => (one.id === id ? { ...one, ...change } : one));
      write({ ...draft(), comments });
    },
    remove(id) {
      write({ ...draft(), comments: draft().comments.filter((one) => one.id !== id) });
    },
    set: (change) => write({ ...draft(), ...change }),
    sent: () => kept.sent(),
  };
}
