/** What an actor has in archives. */
export interface ArchiveSize {
  actor: string;
  /** Of its files. */
  bytes: number;
  /** When the newest was made, epoch ms. */
  at: number;
}

/**
 * Moves journals and streams of actors that have ended from the store into files, from which they
 * are read as before. Which of them, and when, is the caller's rule.
 */
export interface Archiver {
  /**
   * Moves what the actor, and actors of other charts that belong to it, have in the store.
   * `bytes`: of the new files. `left`: why it stays where it is; nothing has changed. Nothing to
   * move: no bytes. May be killed at any instruction and then asked again. Throws SvcError
   * `store-failed` when a file cannot be written.
   */
  archive(actor: string): Promise<{ bytes: number } | { left: string }>;
  /**
   * Removes the archives of the actor, and of what belongs to it, for good: readers then say that
   * they were removed, and when. What is in the store stays.
   */
  remove(actor: string): Promise<{ bytes: number }>;
  /** Actors that have archives, those with the oldest first; what belongs to an actor counts as its own. */
  sizes(): ArchiveSize[];
}
