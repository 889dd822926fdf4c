import type { HomeLog, LogPosition } from './homeLog.ts';
import type { OutsideWrite } from './outsideWrites.ts';

/** Steps of a commit with a log, for tests that crash at each. */
export type LogStep = 'built' | 'writing' | 'written' | 'sent' | 'acknowledged';

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
   * Something was written outside of entries. Resolves when a checkpoint that has it counts at the
   * control plane; entries made after a migration or a repair are not answered before that. Never
   * rejects. Called again at the next begin if the process ends before that.
   */
  checkpointDue(write: OutsideWrite): Promise<undefined>;
  /**
   * Brings an archive's file to the control plane before its rows leave the tables; a rejection
   * leaves them there.
   */
  keepArchive(path: string, sha256: string): Promise<undefined>;
  /** Called as steps of a commit are reached; default: nothing. */
  onStep?(step: LogStep): void;
}

/** The log of an open store; can be set and taken away while the store is used. */
export interface StoreLog {
  /**
   * From now on each commit becomes an entry and is answered when `log` has it. Before
   * `kernel.start()`, which then claims `start.generation`, or at any later time. Entries of
   * `readOutgoing` stay there: the caller sends them. Throws SvcError `store-failed` if the state
   * has a log and is at another position than `start`; one without a log, or to be seeded, takes any.
   */
  begin(log: HomeLog, start: LogStart): Promise<void>;
  /** The control plane has a checkpoint: from now on commits are answered when the log has them. */
  endSeeding(): void;
  /**
   * Commits are local again; the file on the disk is complete and has no log. Commits that wait for
   * the log are answered, and entries that were not acknowledged forgotten.
   */
  end(): void;
}
