import type { Blobs } from '../blobs.ts';
import type { RowGuard } from '../broken/rowGuard.ts';
import type { Database } from '../database.ts';

/** The moments between which a runner may be killed. */
export type ArchiveStep =
  | 'begun'
  | 'page'
  | 'written'
  | 'verified'
  | 'published'
  | 'recorded'
  | 'clearing'
  | 'cleared'
  | 'dropped'
  | 'removed';

/**
 * The table in which a feature keeps what calls of an actor were answered, in the columns `key`, `ok`
 * and `result`: they leave the store with the actor's journal.
 */
export interface AnswerTable {
  table: string;
  /** Its column with the id of the actor. */
  actor: string;
}

/** What the file of a segment is written from. */
export interface SegmentDeps {
  db: Database;
  blobs: Blobs;
  guard: RowGuard;
  answers: AnswerTable | null;
  /** Epoch ms. */
  at: number;
  reached(step: ArchiveStep): void;
}
