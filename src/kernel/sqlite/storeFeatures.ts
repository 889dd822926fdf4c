import type { AnswerTable } from './archive/segmentDeps.ts';
import type { RowGuard } from './broken/rowGuard.ts';

/** What a store holds beside the kernel's own tables, as data: the kernel itself knows no feature. */
export interface StoreFeatures {
  /**
   * Entry N brings `user_version` from N to N + 1, in one transaction. They create the kernel's
   * tables too, with those of features in one sequence.
   */
  migrations: readonly string[];
  /** Which rows and frames can be read. */
  guard: RowGuard;
  /** Tables that are read whole in every commit. */
  keptWhole: ReadonlySet<string>;
  /** What leaves the store with the journal of an actor; null = nothing. */
  answers: AnswerTable | null;
}
