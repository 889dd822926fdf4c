import type { AnswerTable } from './archive/segmentDeps.ts';
import type { RowGuard } from './broken/rowGuard.ts';

/** What a store holds besides the kernel's tables, as data: the kernel knows no features. */
export interface StoreFeatures {
  /**
   * Entry N migrates `user_version` from N to N + 1 in one transaction; kernel and feature tables
   * share one sequence.
   */
  migrations: readonly string[];
  /** Which rows and frames are readable. */
  guard: RowGuard;
  /** Tables that are read whole in every commit. */
  keptWhole: ReadonlySet<string>;
  /** What is archived with an actor's journal; null = nothing. */
  answers: AnswerTable | null;
}
