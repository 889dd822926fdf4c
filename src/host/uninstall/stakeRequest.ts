import type { NamedRepository } from './knownRepositories.ts';

export interface StakeRequest {
  /** Without links. */
  home: string;
  /** Holds a folder for each job. */
  workingDir: string;
  /** Repositories of the local forge. */
  local: readonly NamedRepository[];
  /** Jobs that have not ended, or why no one knows. */
  jobs: { jobs: { id: string; description: string }[] } | { problem: string };
  /** Ends names that are not to meet. */
  nextName(): string;
  /** Called before each folder of a job is checked. */
  onFolder?(n: number, of: number): void;
}
