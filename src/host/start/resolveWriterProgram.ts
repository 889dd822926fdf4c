import { join } from 'node:path';
import type { ThreadProgram } from '../../kernel/sqlite/thread/writerThread.ts';

/** From the built package, or from its sources where the runner itself runs from them. */
export const resolveWriterProgram = (packageRoot: string, fromSource: boolean): ThreadProgram =>
  fromSource
    ? {
        file: join(packageRoot, 'src/host/start/stateWriter.ts'),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { file: join(packageRoot, 'dist/runner/stateWriter.js'), execArgv: [] };
