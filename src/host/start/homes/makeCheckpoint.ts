import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { createGzip } from 'node:zlib';
import { SvcError } from '../../../base/errors/errors.ts';
import type { CheckpointFile } from '../../../cloudLink/homes/uploadCheckpoint.ts';
import type { OpenStore } from '../../../jobs/store/openStore.ts';
import type { ThreadProgram } from '../../../kernel/sqlite/thread/writerThread.ts';
import type { SettledCopy } from '../../../kernel/sqlite/log/settleCheckpointCopy.ts';

const settleInThread = ({ file, execArgv }: ThreadProgram, copy: string): Promise<SettledCopy> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: copy, execArgv });
    worker.once('message', resolve);
    // Errors lose their class on the way from a thread.
    worker.once('error', (error) => reject(new SvcError('store-failed', error.message)));
    worker.once('exit', () => reject(new Error('The thread that checks a copy has ended.')));
  });

/**
 * Copies an open state while it is used, checks the copy and compresses it. The caller removes the file. Rejects after
 * the signal as soon as neither SQLite nor its thread is at work: a process must not exit before that.
 */
export async function makeCheckpoint(
  store: Pick<OpenStore, 'copyTo'>,
  stateDb: string,
  checker: ThreadProgram,
  signal = new AbortController().signal,
): Promise<CheckpointFile> {
  const copy = `${stateDb}.checkpoint.draft`;
  const file = `${stateDb}.checkpoint.upload.gz`;
  try {
    await store.copyTo(copy);
    signal.throwIfAborted();
    const settledCopy = await settleInThread(checker, copy);
    await rm(file, { force: true });
    await pipeline(
      createReadStream(copy),
      createGzip(),
      createWriteStream(file, { mode: 0o600, flags: 'wx' }),
      { signal },
    );
    return { file, ...settledCopy };
  } finally {
    await rm(copy, { force: true });
  }
}
