import { parentPort, workerData } from 'node:worker_threads';
import type { WriterSetup } from '../../kernel/sqlite/thread/message.ts';
import { serveWriter } from '../../kernel/sqlite/thread/serveWriter.ts';

/*
 * The program of the thread that writes the state.
 */
if (parentPort)
  serveWriter(parentPort, workerData as WriterSetup, {
    measureElapsed: () => performance.now(),
    exit: () => process.exit(),
  });
