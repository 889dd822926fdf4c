import { parentPort, workerData } from 'node:worker_threads';
import { settleCheckpointCopy } from '../../kernel/sqlite/log/settleCheckpointCopy.ts';

/*
 * The program of the thread that checks a copy of the state before it is uploaded: SQLite reads all of it, which takes
 * seconds for a large one.
 */
if (parentPort) parentPort.postMessage(settleCheckpointCopy(String(workerData)));
