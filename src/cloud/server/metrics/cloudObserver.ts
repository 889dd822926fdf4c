/** What parts of a node report for `GET /metrics`. */
export interface CloudObserver {
  /** Entries of the log of a home were stored together; from their coming to the commit. */
  noteCommit(entries: number, seconds: number): void;
  /** A runner has made the job of a dispatch, this long after someone asked for it. */
  dispatchPlaced(seconds: number): void;
  /** A body or a label held a token. `where`: name of the operation, or `label`. */
  secretRefused(where: string): void;
}
