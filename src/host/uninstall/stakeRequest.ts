import type { NamedRepository } from './knownRepositories.ts';

export interface StakeRequest {
  /** Without links. */
  home: string;
  workingDir: string;
  local: readonly NamedRepository[];
  jobs: { jobs: { id: string; description: string }[] } | { problem: string };
  /** Makes unique suffixes of names. */
  nextName(): string;
  /** Called before each folder of a job is checked. */
  onFolder?(n: number, of: number): void;
}
