import { join } from 'node:path';

/** The program around sessions in the profile `runtime`, and what node needs to run it. */
export interface HostProgram {
  file: string;
  execArgv: readonly string[];
}

/** In the built package, or in the sources if the runner runs from them. */
export const resolveHostProgram = (packageRoot: string, fromSource: boolean): HostProgram =>
  fromSource
    ? {
        file: join(packageRoot, 'src/executors/sandbox/host/main.ts'),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { file: join(packageRoot, 'dist/runner/sandboxHost.js'), execArgv: [] };
