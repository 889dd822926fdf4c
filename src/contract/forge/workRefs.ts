/**
 * Refs of a forge's repositories in which svc keeps the unfinished work of jobs, beside the branches. `ref` is a full
 * name. All throw SvcError where the forge cannot be asked.
 */
export interface WorkRefs {
  /** Makes the ref a branch of a repository on this disk, whatever it was before. Waits until the runner may act. */
  push(slug: string, ref: string, from: { dir: string; branch: string }): Promise<void>;
  /** Brings the ref into the repository of `source`. Answers its name there; null = the forge does not have it. */
  fetch(slug: string, ref: string): Promise<string | null>;
  /** A ref that the forge does not have is no error. Waits until the runner may act. */
  remove(slug: string, ref: string): Promise<void>;
}
