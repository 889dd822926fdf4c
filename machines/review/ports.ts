export interface ReviewPorts {
  /**
   * Sends what the forge does not have yet of a review and records each delivery. Answers
   * `review.sent`, or `review.postponed` if the forge cannot be reached.
   */
  'review.send': {
    reviewId: string;
    /** Number of this attempt, from 1. */
    attempt: number;
  };
}

export type ReviewAnswer =
  /** `line`: for the job's log. */
  | { type: 'review.sent'; line: string }
  /** `until`: when to retry, epoch ms. */
  | { type: 'review.postponed'; until: number };
