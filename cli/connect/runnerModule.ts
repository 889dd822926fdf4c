import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StartedRunner, StartOptions } from '../../src/main.ts';
import type { Settings } from '../../src/schema/settings.ts';
import { packageRoot } from '../packageRoot.ts';

export interface RunnerModule {
  /** Version of the schema of state.db that it writes. */
  storeVersion: number;
  startRunner(settings: Settings, options: StartOptions): Promise<StartedRunner>;
}

/**
 * The runner, for a command that is one itself: the built one, or the source when run from it. It is
 * a bundle of its own; the path is put together at run time, so that no bundler pulls it in here.
 */
export const loadRunner = (): Promise<RunnerModule> =>
  import(
    pathToFileURL(
      join(
        packageRoot(import.meta.url),
        import.meta.url.endsWith('.ts') ? 'src/main.ts' : 'dist/runner/main.js',
      ),
    ).href
  );
