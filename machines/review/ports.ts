/** Every act on the outside world that the chart of a review may ask for: name → its input. */
export interface ReviewPorts {
  /**
   * Sends what is not at the forge yet of a review, and keeps the delivery of each part. Answers
   * `review.sent`, or `review.postponed` where the forge could not be reached.
   */
  'review.send': {
    reviewId: string;
    /** From 1 on: how often it was begun. */
    attempt: number;
  };
}

/** What the port answers with. */
export type ReviewAnswer =
  /** `line`: for the log of the job. */
  | { type: 'review.sent'; line: string }
  /** `until`: when to try again, epoch ms. */
  | { type: 'review.postponed'; until: number };
