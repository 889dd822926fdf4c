import type { DiffSide, ReviewVerdict } from '../schema/forge/review.ts';

/** One comment of a review, after validation. */
export interface ReviewComment {
  /** As the diff names the file after the change. */
  path: string;
  /** The last line; null = the whole file, or an answer. */
  line: number | null;
  /** The first line; null = `line` alone. */
  startLine: number | null;
  /** Where the lines are counted. */
  side: DiffSide;
  /** Empty only with a suggestion. */
  body: string;
  /** Text to replace the lines with; null = none. */
  suggestion: string | null;
  /** Id of the comment that it answers; null = none. */
  replyTo: string | null;
}

/** Comments and a decision of one person about one commit of a pull request. */
export interface ReviewWrite {
  repo: string;
  number: number;
  /** The commit that was reviewed, as the forge gave it. Throws `conflict` where that matters. */
  head: string;
  verdict: ReviewVerdict;
  /** Text of the review as a whole; empty = none. */
  body: string;
  comments: readonly ReviewComment[];
}

/** A decision, which not every account can give at every forge. */
export type Decision = Exclude<ReviewVerdict, 'comment'>;

/** The bytes of a picture, and their media type. */
export interface Picture {
  mime: string;
  bytes: Buffer;
}

/** The changes of a pull request. */
export interface HeadedDiff {
  /** The commit that they end at: as its `headCommit` when they were read. */
  head: string;
  /** A unified diff. */
  text: string;
}
