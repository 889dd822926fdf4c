import { Worker } from 'node:worker_threads';
import { SvcError } from '../../../shared/errors/errors.ts';
import {
  CELLS,
  ENDED,
  FAILED,
  READY,
  type WriteMessage,
  type WriterSetup,
  type WrittenMessage,
} from './message.ts';
import { QueuedStatements } from './queuedStatements.ts';

/** Longest wait for the thread, ms: one that takes longer has ended without a word. */
const LONGEST_MS = 60_000;

/** A program, and how Node runs it. */
export interface ThreadProgram {
  file: string;
  execArgv: string[];
}

export interface WriterOptions extends Omit<WriterSetup, 'shared' | 'number'> {
  /** An error of SQLite as one for people. */
  failure(error: Error): SvcError;
}

interface Waiting {
  resolve: (ms: number) => void;
  reject: (error: SvcError) => void;
}

/**
 * Writes batches on a thread of its own, over a connection of its own, one after another. The thread
 * is made when a batch comes and it has none.
 */
export class WriterThread {
  /** Of the batch that comes next. */
  readonly statements = new QueuedStatements();
  readonly #program: ThreadProgram;
  readonly #options: WriterOptions;
  readonly #memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
  readonly #cells = new Int32Array(this.#memory);
  #worker: Worker | undefined;
  /** How many threads there were. */
  #number = 0;
  /** The thread has had no batch, and knows no statement. */
  #isFresh = true;
  #waiting = new Map<number, Waiting>();
  #last = 0;
  #isClosed = false;
  #isLost = false;
  /** Threads that have the database open, or are about to open it. */
  readonly #alive = new Map<Worker, Promise<void>>();

  constructor(program: ThreadProgram, options: WriterOptions) {
    this.#program = program;
    this.#options = options;
  }

  /** Whether it has something to write. */
  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** The thread has ended by itself. It is not replaced: what ended it may end that one too. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether the thread waits for batches; begins one if need be. One that cannot begin never waits. */
  isReady(): boolean {
    if (this.#isClosed) return false;
    this.#worker ??= this.#started();
    return Atomics.load(this.#cells, READY) === this.#number;
  }

  /** Whether a batch of that run has failed, as far as the thread has come. */
  hasFailed(run: number): boolean {
    return Atomics.load(this.#cells, FAILED) === run;
  }

  /**
   * Hands over what `statements` has. Resolves when it is on the disk, with how long its COMMIT took,
   * ms. Rejects with SvcError `store-failed`, and throws it where the thread is closed.
   */
  write(batch: Pick<WriteMessage, 'run' | 'generation'>): Promise<number> {
    if (this.#isClosed) throw this.#options.failure(new Error('the state is closed'));
    this.#worker ??= this.#started();
    const isNew = this.#isFresh;
    this.#isFresh = false;
    const n = this.#last + 1;
    this.#last = n;
    // The process lives for as long as something is to be written.
    this.#worker.ref();
    const message: WriteMessage = { n, ...batch, ...this.statements.take(isNew) };
    this.#worker.postMessage(message);
    return new Promise((resolve, reject) => this.#waiting.set(n, { resolve, reject }));
  }

  /** Returns when all that it was given has ended: what was written is in the database. Throws SvcError `store-failed`. */
  settle(): void {
    for (;;) {
      const at = Atomics.load(this.#cells, ENDED);
      if (at === this.#last) return;
      if (Atomics.wait(this.#cells, ENDED, at, LONGEST_MS) === 'timed-out')
        throw new SvcError('store-failed', 'The thread that writes the state does not answer');
    }
  }

  /** Gives back the memory of a thread that has nothing to write. */
  rest(): void {
    if (!this.isBusy) this.#end();
  }

  /** Ends the thread once it has written all. Its connection ends with it, a moment later. */
  close(): void {
    this.#isClosed = true;
    this.settle();
    this.#end();
  }

  /**
   * The same, and resolves when no thread is left: also none that is still starting, which would open
   * the database after the other connection has let go of it. Rejects with SvcError `store-failed`
   * where a thread does not answer; it is ended too.
   */
  async endThreads(): Promise<void> {
    for (const worker of this.#alive.keys()) worker.ref();
    try {
      this.close();
    } catch (error) {
      for (const worker of this.#alive.keys()) void worker.terminate();
      throw error;
    } finally {
      await Promise.all(this.#alive.values());
    }
  }

  #end(): void {
    this.#worker?.postMessage(null);
    this.#worker = undefined;
  }

  #started(): Worker {
    const { file, execArgv } = this.#program;
    const { file: database, address, pragmas } = this.#options;
    this.#number += 1;
    this.#isFresh = true;
    const setup: WriterSetup = {
      file: database,
      address,
      pragmas,
      shared: this.#memory,
      number: this.#number,
    };
    const worker = new Worker(file, { workerData: setup, execArgv });
    worker.unref();
    worker.on('message', ({ n, error, ms }: WrittenMessage) => {
      const waiting = this.#waiting.get(n);
      this.#waiting.delete(n);
      if (!this.isBusy && !this.#isClosed) worker.unref();
      if (error === null) waiting?.resolve(ms);
      else waiting?.reject(this.#options.failure(new Error(error)));
    });
    let why = 'it ended';
    worker.on('error', (error: Error) => {
      why = error.message;
    });
    worker.on('exit', () => this.#lost(worker, why));
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.#alive.set(
      worker,
      exited.then(() => void this.#alive.delete(worker)),
    );
    return worker;
  }

  #lost(worker: Worker, why: string): void {
    // It was asked to end.
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isLost = true;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    Atomics.store(this.#cells, ENDED, this.#last);
    for (const { reject } of waiting.values())
      reject(new SvcError('store-failed', `The thread that writes the state was lost: ${why}`));
  }
}
