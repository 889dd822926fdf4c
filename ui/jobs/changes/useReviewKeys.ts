import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import type { FilesView, LineOfFile } from './files/filesView.ts';
import type { PullRequestReview } from './createPullRequestReview.ts';

/** No file of a diff has as many lines. */
const MORE_THAN_LINES = 1e8;

interface ReviewKeys {
  view: FilesView;
  review: PullRequestReview;
  /** null = it takes no review now. */
  finish: () => (() => void) | null;
  comment: (() => void) | null;
  toggleSplit: (() => void) | null;
  markViewed: () => void;
}

/** The next line with a comment after the cursor, or the previous one; round at the ends. */
function moveComment({ view, review }: ReviewKeys, step: 1 | -1): void {
  const all = review.commentedLines();
  const at = view.cursor();
  const files = review.files();
  const before = ({ file, line }: LineOfFile): number =>
    files.indexOf(file) * MORE_THAN_LINES + file.lines.indexOf(line);
  const now = at ? before(at) : -1;
  const next =
    step === 1
      ? (all.find((one) => before(one) > now) ?? all[0])
      : (all.findLast((one) => before(one) < now) ?? all.at(-1));
  if (next) view.focus(next);
}

/** The keys of the page of changes. Arrow keys work on a line also where single keys are off. */
export function useReviewKeys(keys: ReviewKeys): void {
  const { view } = keys;
  const bind = (key: string, says: string, run: () => void) => ({
    keys: [key],
    says,
    does: { do: run },
  });
  usePageKeys(() => [
    bind('j', 'Next line', () => view.moveLine(1, false)),
    bind('k', 'Previous line', () => view.moveLine(-1, false)),
    bind('J', 'Extend to the next line', () => view.moveLine(1, true)),
    bind('K', 'Extend to the previous line', () => view.moveLine(-1, true)),
    bind('n', 'Next change', () => view.moveChange(1)),
    bind('p', 'Previous change', () => view.moveChange(-1)),
    bind(']', 'Next file', () => view.moveFile(1)),
    bind('[', 'Previous file', () => view.moveFile(-1)),
    bind('}', 'Next comment', () => moveComment(keys, 1)),
    bind('{', 'Previous comment', () => moveComment(keys, -1)),
    bind('v', 'Mark the file as viewed, and go to the next', keys.markViewed),
    bind('o', 'Open or close the file', () => {
      const file = view.currentFile();
      if (file) view.setOpen(file, !view.isOpen(file));
    }),
    ...(keys.comment ? [bind('Enter', 'Comment on the line', keys.comment)] : []),
    ...(keys.toggleSplit ? [bind('s', 'Side by side, or unified', keys.toggleSplit)] : []),
    ...(keys.finish() ? [bind('f', 'Finish the review', () => keys.finish()?.())] : []),
  ]);
}
