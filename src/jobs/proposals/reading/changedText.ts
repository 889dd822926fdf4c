/** A file of the overlay before and after a proposal. */
export interface ChangedText {
  /** Path of the overlay, such as workflows/job.md. */
  path: string;
  /** What counts now; null = nothing. */
  before: string | null;
  /** What would count; null = the file is removed. */
  after: string | null;
}
