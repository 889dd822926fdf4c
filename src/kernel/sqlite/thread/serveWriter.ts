import type { MessagePort } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { refuseNewerOwner, OWNER } from '../refuseNewerOwner.ts';
import { PairRecorder } from '../pair/pairRecorder.ts';
import {
  ENDED,
  FAILED,
  READY,
  type WriteMessage,
  type WriterSetup,
  type WrittenMessage,
} from './message.ts';

type Statement = ReturnType<InstanceType<typeof DatabaseSync>['prepare']>;

export interface WriterWorld {
  /** Monotonic ms. */
  measureElapsed(): number;
  exit(): void;
}

/**
 * Writes the port's batches one after another until `null` comes. The thread has the main thread's
 * database open and no other work.
 */
export function serveWriter(
  port: MessagePort,
  { file, address, pragmas, shared, number }: WriterSetup,
  { measureElapsed: elapsed, exit }: WriterWorld,
): void {
  const cells = new Int32Array(shared);
  const db = new DatabaseSync(address, { enableForeignKeyConstraints: true, timeout: 0 });
  db.exec(pragmas);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const owner = db.prepare(OWNER);
  const recorder = new PairRecorder(db, file);
  const texts: string[] = [];
  const statements: Statement[] = [];
  const statement = (number: number): Statement => {
    statements[number] ??= db.prepare(texts[number] ?? '');
    return statements[number];
  };

  /** Returns how long the COMMIT took, ms. */
  const write = ({ generation, calls }: WriteMessage): number => {
    begin.run();
    refuseNewerOwner(owner.get(), generation);
    for (let at = 0; at < calls.length; ) {
      const end = at + 2 + Number(calls[at + 1]);
      statement(Number(calls[at])).run(...calls.slice(at + 2, end));
      at = end;
    }
    const began = elapsed();
    commit.run();
    const took = elapsed() - began;
    recorder.noteCommit();
    return took;
  };

  port.on('message', (message: WriteMessage | null) => {
    if (message === null) {
      recorder.close();
      exit();
      return;
    }
    texts.push(...message.texts);
    const writtenMessage: WrittenMessage = { n: message.n, error: null, ms: 0 };
    try {
      if (message.run === Atomics.load(cells, FAILED))
        throw new Error('the commit before it failed');
      writtenMessage.ms = write(message);
    } catch (error) {
      Atomics.store(cells, FAILED, message.run);
      writtenMessage.error = toErrorMessage(error);
      // After some failures, such as a full disk, SQLite has already rolled back.
      if (db.isTransaction) db.exec('ROLLBACK');
    }
    Atomics.store(cells, ENDED, message.n);
    Atomics.notify(cells, ENDED);
    port.postMessage(writtenMessage);
  });
  Atomics.store(cells, READY, number);
}
