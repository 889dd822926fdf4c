import { join } from 'node:path';
import { resolveWriterProgram } from '../../src/host/start/openHome.ts';

/** The thread that writes, as it is built. */
export const WRITER = resolveWriterProgram(join(import.meta.dirname, '../..'), false);
