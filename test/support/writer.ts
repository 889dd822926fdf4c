import { join } from 'node:path';
import { resolveWriterProgram } from '../../src/host/start/openHome.ts';

export const WRITER = resolveWriterProgram(join(import.meta.dirname, '../..'), false);
