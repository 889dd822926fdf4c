import { Worker } from 'node:worker_threads';
import { SvcError } from '../../../base/errors/errors.ts';
import {
  CELLS,
  ENDED,
  FAILED,
  READY,
  type WriteMessage,
  type WriterSetup,
  type WrittenMessage,
} from './message.ts';
import type { SqlValue } from '../toSqlValue.ts';
import type { Statements } from './statements.ts';

/**
 * A batch's statements in a flat list for the thread: strings and numbers are copied in half the
 * time of objects. Each text is sent once.
 */
class QueuedStatements implements Statements {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** Number of texts sent to the thread. */
  #sent = 0;
  #calls: SqlValue[] = [];

  run(sql: string, ...values: SqlValue[]): void {
    let number = this.#numbers.get(sql);
    if (number === undefined) {
      number = this.#texts.length;
      this.#numbers.set(sql, number);
      this.#texts.push(sql);
    }
    this.#calls.push(number, values.length, ...values);
  }

  /** What has run since the last call. `isNew`: the thread has no texts yet. */
  take(isNew: boolean): Pick<WriteMessage, 'texts' | 'calls'> {
    const message = { texts: this.#texts.slice(isNew ? 0 : this.#sent), calls: this.#calls };
    this.#sent = this.#texts.length;
    this.#calls = [];
    return message;
  }

  /** Forgets what has run: its batch could not be made. */
  drop(): void {
    this.#calls = [];
  }
}

/** Longest wait for the thread, ms; after that it counts as ended. */
const LONGEST_MS = 60_000;

/** A program and how Node runs it. */
export interface ThreadProgram {
  file: string;
  execArgv: string[];
}

export interface WriterOptions extends Omit<WriterSetup, 'shared' | 'number'> {
  /** Turns an SQLite error into one for people. */
  failure(error: Error): SvcError;
}

interface Waiting {
  resolve: (ms: number) => void;
  reject: (error: SvcError) => void;
}

/** Writes batches in order on its own thread and connection. Starts when a batch needs it. */
export class WriterThread {
  readonly statements = new QueuedStatements();
  readonly #program: ThreadProgram;
  readonly #options: WriterOptions;
  readonly #memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
  readonly #cells = new Int32Array(this.#memory);
  #worker: Worker | undefined;
  #number = 0;
  /** The thread has had no batch and knows no statement. */
  #isFresh = true;
  #waiting = new Map<number, Waiting>();
  #last = 0;
  #isClosed = false;
  #isLost = false;
  /** Threads that have the database open or are about to. */
  readonly #alive = new Map<Worker, Promise<void>>();

  constructor(program: ThreadProgram, options: WriterOptions) {
    this.#program = program;
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** The thread ended by itself. It is not replaced: the cause may end the next one too. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether the thread waits for batches; starts one if needed. */
  isReady(): boolean {
    if (this.#isClosed) return false;
    this.#worker ??= this.#startWorker();
    return Atomics.load(this.#cells, READY) === this.#number;
  }

  /** Whether a batch of that run is known to have failed. */
  hasFailed(run: number): boolean {
    return Atomics.load(this.#cells, FAILED) === run;
  }

  /**
   * Hands over `statements`. Resolves once on disk with the COMMIT's duration, ms. Rejects with
   * SvcError `store-failed`; throws it if the thread is closed.
   */
  write(batch: Pick<WriteMessage, 'run' | 'generation'>): Promise<number> {
    if (this.#isClosed) throw this.#options.failure(new Error('the state is closed'));
    this.#worker ??= this.#startWorker();
    const isNew = this.#isFresh;
    this.#isFresh = false;
    const n = this.#last + 1;
    this.#last = n;
    // Keeps the process alive while something must be written.
    this.#worker.ref();
    const message: WriteMessage = { n, ...batch, ...this.statements.take(isNew) };
    this.#worker.postMessage(message);
    return new Promise((resolve, reject) => this.#waiting.set(n, { resolve, reject }));
  }

  /** Returns when everything handed over has ended. Throws SvcError `store-failed`. */
  settle(): void {
    for (;;) {
      const at = Atomics.load(this.#cells, ENDED);
      if (at === this.#last) return;
      if (Atomics.wait(this.#cells, ENDED, at, LONGEST_MS) === 'timed-out')
        throw new SvcError('store-failed', 'The thread that writes the state does not answer');
    }
  }

  /** Frees the memory of an idle thread. */
  rest(): void {
    if (!this.isBusy) this.#end();
  }

  /** Ends the thread after its last batch; its connection ends a moment later. */
  close(): void {
    this.#isClosed = true;
    this.settle();
    this.#end();
  }

  /**
   * The same, and resolves when no thread is left, even one still starting that would open the
   * database later. Rejects with SvcError `store-failed` if a thread does not answer; it is ended
   * too.
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

  #startWorker(): Worker {
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
    worker.on('exit', () => this.#failLost(worker, why));
    const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.#alive.set(
      worker,
      exit.then(() => void this.#alive.delete(worker)),
    );
    return worker;
  }

  #failLost(worker: Worker, why: string): void {
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
