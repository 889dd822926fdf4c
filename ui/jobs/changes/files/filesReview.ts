import type { JSX } from 'solid-js';
import type { DiffFile, DiffLine } from '../diff/diffFile.ts';
import type { LineOfFile } from './filesView.ts';

export interface FilesReview {
  hasComments: (at: LineOfFile) => boolean;
  comments: (at: LineOfFile) => JSX.Element;
  /** Comments of a file whose line is not shown; null = none. */
  others: (file: DiffFile) => JSX.Element;
  hasOthers: (file: DiffFile) => boolean;
  /** Opens a field for a comment on some lines of one side; null = it takes no comments now. */
  comment: ((file: DiffFile, lines: readonly DiffLine[]) => void) | null;
  /** Where a picture before and after the change is; null = on that side it does not exist. */
  pictures: (file: DiffFile) => { before: string | null; after: string | null } | null;
  isViewed: (file: DiffFile) => boolean;
  setViewed: (file: DiffFile, viewed: boolean) => void;
}
