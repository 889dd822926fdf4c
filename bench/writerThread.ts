import { join } from 'node:path';
import type { ThreadProgram } from '../src/kernel/sqlite/thread/writerThread.ts';

/** The thread that writes, which is built beside the host that uses it. */
export const BENCH_WRITER: ThreadProgram = {
  file: join(import.meta.dirname, 'writer.js'),
  execArgv: [],
};
