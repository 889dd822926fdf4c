import { parentPort, workerData } from 'node:worker_threads';
import type { WriterSetup } from '../durable/sqlite/thread/message.ts';
import { serveWriter } from '../durable/sqlite/thread/serveWriter.ts';

/*
 * The program of the thread that writes the state.
 */
if (parentPort)
  serveWriter(parentPort, workerData as WriterSetup, {
    elapsed: () => performance.now(),
    exit: () => process.exit(),
  });
