import type { CheckpointFile } from '../../../cloudLink/homes/uploadCheckpoint.ts';
import type { OpenStore } from '../../../jobs/store/openStore.ts';
import type { ThreadProgram } from '../../../kernel/sqlite/thread/writerThread.ts';
import { makeCheckpoint } from './makeCheckpoint.ts';

/** Copies of the state for the control plane. A process must not exit while one is made. */
export class StateCopies {
  readonly #stateDb: string;
  readonly #checker: ThreadProgram;
  readonly #signal: AbortSignal;
  #newest: Promise<unknown> = Promise.resolve();

  /** `signal` ends what is made, where that is safe. */
  constructor(stateDb: string, checker: ThreadProgram, signal: AbortSignal) {
    this.#stateDb = stateDb;
    this.#checker = checker;
    this.#signal = signal;
  }

  make(store: Pick<OpenStore, 'copyTo'>): Promise<CheckpointFile> {
    const copying = makeCheckpoint(store, this.#stateDb, this.#checker, this.#signal);
    this.#newest = copying;
    return copying;
  }

  /** Resolves when none is made. Never rejects. */
  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled([this.#newest]);
  }
}
