import type { SqlValue } from '../toSqlValue.ts';

/** How the thread opens the database, and how it tells what it has done. */
export interface WriterSetup {
  /** Path of the database. */
  file: string;
  /** Address of the database, with the VFS that the main thread has opened it with. */
  address: string;
  /** PRAGMAs of its connection. */
  pragmas: string;
  shared: SharedArrayBuffer;
  /** Of the thread: 1, 2, 3 … */
  number: number;
}

/** Places in the memory that both threads see: number of the last batch that has ended, well or not; run of the last one that failed; number of the last thread that has the database open. */
export const ENDED = 0;
export const FAILED = 1;
export const READY = 2;
export const CELLS = 3;

/** A batch, as statements: all of them are written, or none. */
export interface WriteMessage {
  /** 1, 2, 3 … */
  n: number;
  /**
   * 1, 2, 3 …: after a batch that failed, all others of the same run are refused. They were made from
   * what it has not written.
   */
  run: number;
  /** Of the owner: another one has claimed the store where it differs. */
  generation: number;
  /** Texts of statements that are new to the thread; they are counted from 0, in the order in which they came. */
  texts: string[];
  /** Number of a text, how many values, the values; again and again. */
  calls: SqlValue[];
}

/** The outcome of a batch: `error` = null where it is on the disk. */
export interface WrittenMessage {
  n: number;
  error: string | null;
  /** How long its COMMIT took, ms. */
  ms: number;
}
