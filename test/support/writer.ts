import { join } from 'node:path';
import { writerProgramOf } from '../../src/start/writerProgram.ts';

/** The thread that writes, as it is built. */
export const WRITER = writerProgramOf(join(import.meta.dirname, '../..'), false);
