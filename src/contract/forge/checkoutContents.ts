/**
 * What the commits of a repository only name: commits of other repositories, and files of Git LFS. A login of the
 * forge goes to the forge alone. All throw SvcError.
 */
export interface CheckoutContents {
  /** Addresses under which a repository is known, to compare others with; of one on this disk also its folder. */
  addresses(slug: string): Promise<string[]>;
  /** Brings one commit, without its history, into a bare repository on this disk. `signal` ends it. */
  fetchCommit(slug: string, commit: string, gitDir: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the pointers of Git LFS in a fresh clone with their contents. Answers why it did not; null = it did, or
   * no file needs it.
   */
  fetchLfs(slug: string, checkoutDir: string): Promise<string | null>;
}
