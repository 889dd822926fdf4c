import { join } from 'node:path';
import type { ThreadProgram } from '../../../kernel/sqlite/thread/writerThread.ts';
import type { Start } from '../startOptions.ts';
import { PairedHome } from './pairedHome.ts';

/** The program of the thread that checks copies: from the built package, or from its sources. */
export const resolveCheckerProgram = (
  packageRoot: string,
  fromSource = import.meta.url.endsWith('.ts'),
): ThreadProgram =>
  fromSource
    ? {
        file: join(packageRoot, 'src/host/start/checkpointCopy.ts'),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { file: join(packageRoot, 'dist/runner/checkpointCopy.js'), execArgv: [] };

/** The home of a runner that works for a team. Throws SvcError `config-invalid`. */
export function openPairedHome(start: Start): PairedHome {
  const { settings, packageRoot } = start;
  let token = settings.cloud.token;
  return new PairedHome(start, {
    readToken() {
      // The control plane replaces it now and then; a home that leaves needs the last one.
      if (settings.cloud.token !== '') token = settings.cloud.token;
      return token;
    },
    checker: resolveCheckerProgram(packageRoot),
  });
}
