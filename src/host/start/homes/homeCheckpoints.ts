import { rm } from 'node:fs/promises';
import { createDeferred, type Deferred } from '../../../base/concurrency/createDeferred.ts';
import { CheckpointPace } from '../../../cloudLink/homes/checkpointPace.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { SocketLog } from '../../../cloudLink/homes/socketLog.ts';
import {
  type CheckpointFile,
  type CheckpointTaker,
  uploadCheckpoint,
} from '../../../cloudLink/homes/uploadCheckpoint.ts';
import { sleep } from '../../../base/time/waiting.ts';
import type { Clock } from '../../../base/time/clock.ts';

/** Between two attempts, where one has failed for another reason than the connection, ms. */
const RETRY_MS = 60_000;

export interface HomeCheckpointsOptions {
  client: CheckpointTaker;
  /** A checked and compressed copy of the state as it is now; the file is removed after the upload. */
  makeCopy(): Promise<CheckpointFile>;
  socketLog: Pick<SocketLog, 'waitFor'>;
  patience: Patience;
  clock: Clock;
  log: {
    info(facts: object, text: string): void;
    error(facts: object, text: string): void;
  };
}

/**
 * Uploads copies of the state: after many entries, when one is due, and at the end. One at a time; a request that comes
 * while a copy is uploaded gets the next one.
 */
export class HomeCheckpoints {
  readonly #options: HomeCheckpointsOptions;
  readonly #pace = new CheckpointPace();
  /** Who waits for a copy that is made from now on. */
  #next: Deferred<undefined> | null = null;
  #working: Promise<void> | null = null;
  /** What the newest request waits for; null = there was none. */
  #newest: Promise<undefined> | null = null;

  constructor(options: HomeCheckpointsOptions) {
    this.#options = options;
  }

  /** The control plane has these entries. */
  noteAcknowledged(entries: number, bytes: number): void {
    this.#pace.add(entries, bytes);
    if (this.#pace.isDue) void this.upload();
  }

  /** Resolves when no copy is being made or uploaded. Never rejects. */
  async waitUntilIdle(): Promise<void> {
    await this.#working;
  }

  /**
   * Whether a stop uploads a copy: where the control plane has entries after its newest one. `handsOver`: another runner
   * waits for the home, and replays a few entries sooner than it would get a copy.
   */
  needsCopy(handsOver: boolean): boolean {
    return handsOver ? this.#pace.hasManyEntries : this.#pace.hasEntries;
  }

  /**
   * Resolves when a copy that was made after this call counts at the control plane. Never rejects: it is tried again
   * until the patience ends, and then it does not resolve.
   */
  upload(): Promise<undefined> {
    this.#next ??= createDeferred();
    const { promise } = this.#next;
    this.#newest = promise;
    this.#working ??= this.#work();
    return promise;
  }

  /** Resolves as `upload` does, for the newest copy that was asked for: a migration may have done so. */
  uploadUnlessAsked(): Promise<undefined> {
    return this.#newest ?? this.upload();
  }

  async #work(): Promise<void> {
    const { patience, clock, log } = this.#options;
    while (this.#next !== null && !patience.signal.aborted) {
      const waiting = this.#next;
      this.#next = null;
      try {
        await this.#uploadOnce();
        waiting.resolve(undefined);
      } catch (err) {
        if (patience.signal.aborted) return;
        log.error({ err }, 'a copy of the state could not be uploaded; it is tried again');
        this.#waitAgain(waiting);
        await sleep(clock, RETRY_MS, patience.signal);
      }
    }
    // Not when this promise has settled: who waited for the copy may ask for another one before that.
    this.#working = null;
  }

  /** Those who came meanwhile wait for the same copy. */
  #waitAgain(waiting: Deferred<undefined>): void {
    if (this.#next === null) this.#next = waiting;
    else void this.#next.promise.then(waiting.resolve);
  }

  async #uploadOnce(): Promise<void> {
    const { client, makeCopy, socketLog, patience, log } = this.#options;
    const copy = await makeCopy();
    this.#pace.restart();
    try {
      // A copy may be ahead of what the control plane has.
      if (!(await socketLog.waitFor(copy.n, patience.signal))) patience.signal.throwIfAborted();
      const bytes = await uploadCheckpoint(client, copy, patience);
      log.info({ entry: copy.n, bytes }, 'the control plane has a copy of the state');
    } finally {
      await rm(copy.file, { force: true });
    }
  }
}
