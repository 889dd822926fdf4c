/** A file of the overlay before and after a proposal. */
export interface ChangedText {
  /** Path in the overlay, such as workflows/job.md. */
  path: string;
  /** The current text; null = none. */
  before: string | null;
  /** The proposed text; null = the file is removed. */
  after: string | null;
}
