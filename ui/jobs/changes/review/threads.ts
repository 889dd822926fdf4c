import type {
  PrComment,
  PrDetail,
  ReviewThread,
} from '../../../../src/contract/schema/forge/prDetail.ts';
import { type DiffFile, type DiffLine, toLinePlace } from '../diff/diffFile.ts';

export interface ThreadWithComments {
  thread: ReviewThread;
  comments: PrComment[];
}

/** The threads of a pull request, and the comments that belong to none. */
export function collectThreads({
  thread,
  reviewThreads,
}: Pick<PrDetail, 'thread' | 'reviewThreads'>): {
  threads: ThreadWithComments[];
  conversation: PrComment[];
} {
  const byId = new Map(thread.map((comment) => [comment.id, comment]));
  const inThreads = new Set(reviewThreads.flatMap(({ commentIds }) => commentIds));
  return {
    threads: reviewThreads.map((one) => ({
      thread: one,
      comments: one.commentIds.flatMap((id) => byId.get(id) ?? []),
    })),
    conversation: thread.filter(({ id }) => !inThreads.has(id)),
  };
}

/** The threads of one file: by line of its diff, and those whose line is not in it. */
export interface ThreadsOfFile {
  byLine: Map<DiffLine, ThreadWithComments[]>;
  elsewhere: ThreadWithComments[];
}

/** Where the threads of a file are shown. */
export function placeThreads(
  file: DiffFile,
  threads: readonly ThreadWithComments[],
): ThreadsOfFile {
  const threadsOfFile: ThreadsOfFile = { byLine: new Map(), elsewhere: [] };
  const own = threads.filter(({ thread }) => thread.path === file.path);
  for (const one of own) {
    const line = file.lines.find((candidate) => {
      const place = toLinePlace(candidate);
      return place?.line === one.thread.line && place?.side === (one.thread.side ?? 'after');
    });
    if (line) threadsOfFile.byLine.set(line, [...(threadsOfFile.byLine.get(line) ?? []), one]);
    else threadsOfFile.elsewhere.push(one);
  }
  return threadsOfFile;
}
