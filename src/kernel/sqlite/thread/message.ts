import type { SqlValue } from '../toSqlValue.ts';

export interface WriterSetup {
  file: string;
  /** Address of the database with the main thread's VFS. */
  address: string;
  pragmas: string;
  shared: SharedArrayBuffer;
  number: number;
}

/** Indexes into shared memory: last ended batch, run of the last failed one, last open thread. */
export const ENDED = 0;
export const FAILED = 1;
export const READY = 2;
export const CELLS = 3;

/** A batch as statements, written completely or not at all. */
export interface WriteMessage {
  /** 1, 2, 3 … */
  n: number;
  /** 1, 2, 3 …: after a failed batch all others of its run are refused, since they build on it. */
  run: number;
  /** The owner's generation; if the store's differs, another owner has claimed it. */
  generation: number;
  /** Statement texts new to the thread, counted from 0 in order of arrival. */
  texts: string[];
  /** Repeats: number of a text, count of values, the values. */
  calls: SqlValue[];
}

/** A batch's outcome: `error` null = it is on disk. */
export interface WrittenMessage {
  n: number;
  error: string | null;
  /** How long its COMMIT took, ms. */
  ms: number;
}
