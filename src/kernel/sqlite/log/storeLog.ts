import type { HomeLog, LogEntry, LogPosition } from './homeLog.ts';

/** What was written outside of entries: the control plane gets it with the next checkpoint. */
export type OutsideWrite = 'archive' | 'migration' | 'cleanup';

/** Where a store's log begins. */
export interface LogStart extends LogPosition {
  /** Of this runner's claim at the control plane; written into each entry. */
  generation: number;
  /**
   * The control plane has no checkpoint of the home yet: commits are answered as without a log,
   * once they are on this disk, until `seeded` is called. Default false.
   */
  isSeeding?: boolean;
  /**
   * Something was written outside of entries. Entries made after it are not answered before the
   * promise resolves, which must mean: a checkpoint that has it counts at the control plane. Never
   * rejects.
   */
  checkpointDue(write: OutsideWrite): Promise<undefined>;
}

/** The log of an open store; can be set and taken away while the store is used. */
export interface StoreLog {
  /** Position of the file; null = it has no log. */
  position(): LogPosition | null;
  /** Entries that the control plane is not known to have, in their order. */
  outgoing(): LogEntry[];
  /**
   * From now on each commit becomes an entry and is answered when `log` has it. Call it before
   * `kernel.start()`, which then claims `start.generation`, or at any later time. What waits in
   * `outgoing()` stays there: the caller sends it. Throws SvcError `store-failed` if the file is at
   * another position than `start`; a file without a log takes any.
   */
  begin(log: HomeLog, start: LogStart): Promise<void>;
  /** The control plane has a checkpoint: from now on commits are answered when the log has them. */
  seeded(): void;
  /**
   * Commits are local again, and the file is whole on the disk and has no log. Commits that wait
   * for the log are answered. Entries that were not acknowledged are forgotten.
   */
  end(): void;
}

/** A copy of the state for a checkpoint. */
export interface StateCheckpoint extends LogPosition {
  /** `user_version` of the copy. */
  storeVersion: number;
}
