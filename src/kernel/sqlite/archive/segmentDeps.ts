import type { Blobs } from '../blobs.ts';
import type { RowGuard } from '../broken/rowGuard.ts';
import type { Database } from '../database.ts';

/** Points between which a runner may be killed. */
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
 * A feature's table with the answers to an actor's calls (columns `key`, `ok`, `result`), archived
 * with the journal.
 */
export interface AnswerTable {
  table: string;
  /** The column with the actor's id. */
  actor: string;
}

/** What a segment's file is written from. */
export interface SegmentDeps {
  db: Database;
  blobs: Blobs;
  guard: RowGuard;
  answers: AnswerTable | null;
  /** Epoch ms. */
  at: number;
  onStep(step: ArchiveStep): void;
}
