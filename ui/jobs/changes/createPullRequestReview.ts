import { createMemo } from 'solid-js';
import { useJob } from '../page/jobView.ts';
import type { OpenPullRequest } from './pullRequest.ts';
import {
  findDraftLine,
  listWrittenComments,
  computeNextCommentId,
  readReviewDraft,
  serializeReviewDraft,
  type DraftComment,
  type ReviewDraft,
} from './review/reviewDraft.ts';
import { placeThreads, collectThreads, type ThreadsOfFile } from './review/threads.ts';
import { createViewedFiles } from './review/viewedFiles.ts';
import type { DiffFile, DiffLine } from './diff/diffFile.ts';
import { createDraft } from '../../shell/drafts/drafts.ts';

interface ReviewInWork {
  draft: () => ReviewDraft;
  /** Opens a field for a comment, or the one that is open at this place; answers its id. */
  begin: (comment: Omit<DraftComment, 'id' | 'body' | 'writing'>) => number;
  change: (id: number, change: Partial<DraftComment>) => void;
  remove: (id: number) => void;
  set: (change: Partial<Pick<ReviewDraft, 'summary' | 'verdict'>>) => void;
  /** To be called when it was sent. */
  onSent: () => void;
}

/** Kept with the drafts of the job: it survives a reload, and everything else but the tab. */
function createReview(job: string, prId: string): ReviewInWork {
  const reviewDraft = createDraft({ job, field: `review of ${prId}` });
  const draft = createMemo(() => readReviewDraft(reviewDraft.text()));
  const write = (next: ReviewDraft) => reviewDraft.write(serializeReviewDraft(next));
  return {
    draft,
    begin(comment) {
      const now = draft();
      const draftComment = now.comments.find(
        ({ path, side, line, replyTo, writing }) =>
          writing &&
          path === comment.path &&
          side === comment.side &&
          line === comment.line &&
          replyTo === comment.replyTo,
      );
      if (draftComment) return draftComment.id;
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
    onSent: () => reviewDraft.forget(),
  };
}

interface DraftsOfFile {
  byLine: Map<DiffLine, number[]>;
  elsewhere: number[];
}

export type PullRequestReview = ReturnType<typeof createPullRequestReview>;

/** All that people say about a pull request, by file and line: sent, and in work. */
export function createPullRequestReview(open: OpenPullRequest) {
  const { job } = useJob();
  const inWork = createReview(job().id, open.pr.prId);
  const viewedFiles = createViewedFiles(open.pr.prId);
  const all = createMemo(() => {
    const detail = open.detail();
    return detail ? collectThreads(detail) : { threads: [], conversation: [] };
  });
  const files = () => open.diff()?.files ?? [];
  const fileAt = createMemo(() => new Map(files().map((file) => [file.path, file])));

  const threads = createMemo(() => {
    const threadsByFile = new Map<DiffFile, ThreadsOfFile>();
    for (const path of new Set(all().threads.map(({ thread }) => thread.path))) {
      const file = fileAt().get(path);
      if (file) threadsByFile.set(file, placeThreads(file, all().threads));
    }
    return threadsByFile;
  });
  const drafts = createMemo(() => {
    const draftsByFile = new Map<DiffFile, DraftsOfFile>();
    for (const comment of inWork.draft().comments) {
      const file = fileAt().get(comment.path);
      if (!file || comment.replyTo !== null) continue;
      const of = draftsByFile.get(file) ?? { byLine: new Map<DiffLine, number[]>(), elsewhere: [] };
      const line = findDraftLine(file, comment);
      if (line) of.byLine.set(line, [...(of.byLine.get(line) ?? []), comment.id]);
      else of.elsewhere.push(comment.id);
      draftsByFile.set(file, of);
    }
    return draftsByFile;
  });

  return {
    ...inWork,
    viewed: viewedFiles,
    files,
    fileAt: (path: string): DiffFile | undefined => fileAt().get(path),
    conversation: () => all().conversation,
    threadsOf: (file: DiffFile): ThreadsOfFile | undefined => threads().get(file),
    draftsOf: (file: DiffFile): DraftsOfFile | undefined => drafts().get(file),
    /** Threads of files that are not in the diff. */
    strayThreads: createMemo(() =>
      all().threads.filter(({ thread }) => !fileAt().has(thread.path)),
    ),
    /** Comments in work of files that are not in the diff. */
    strayDrafts: createMemo(() =>
      open.diff() === null
        ? []
        : inWork
            .draft()
            .comments.filter(({ path, replyTo }) => replyTo === null && !fileAt().has(path)),
    ),
    comment: (id: number): DraftComment | undefined =>
      inWork.draft().comments.find((one) => one.id === id),
    repliesTo: (commentIds: readonly string[]): number[] =>
      inWork
        .draft()
        .comments.filter(({ replyTo }) => replyTo !== null && commentIds.includes(replyTo))
        .map(({ id }) => id),
    /** Comments at a file, sent or not. */
    countAt: (file: DiffFile): number =>
      all().threads.filter(({ thread }) => thread.path === file.path).length +
      inWork.draft().comments.filter(({ path, replyTo }) => path === file.path && replyTo === null)
        .length,
    count: () => listWrittenComments(inWork.draft()).length,
    /** Lines with comments, in order: for the keys. */
    commentedLines: (): { file: DiffFile; line: DiffLine }[] =>
      files().flatMap((file) => {
        const of = [threads().get(file)?.byLine, drafts().get(file)?.byLine];
        return file.lines
          .filter((line) => of.some((lines) => lines?.has(line)))
          .map((line) => ({ file, line }));
      }),
  };
}
