import { finished } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { startBackup } from '../backup/startBackup.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import { createDeferred } from '../../shared/concurrency/createDeferred.ts';
import type { RunnerCore } from './core.ts';

/** Backups of the home of a running runner, one at a time and not during a clean-up. */
export const createBackups = ({
  settings,
  store,
  upkeep,
  now,
}: Pick<RunnerCore, 'settings' | 'store' | 'upkeep' | 'now'>): Pick<Runner, 'backup'> => ({
  async backup({ work = 'all' }) {
    const begun = createDeferred<Readable>();
    upkeep
      .take('a backup', async () => {
        const copyState = (file: string) => store.copyTo(file);
        const stream = await startBackup({ settings, work, now: now(), copyState });
        begun.resolve(stream);
        // Its failure reaches the reader.
        await finished(stream).catch(() => undefined);
      })
      .catch(begun.reject);
    return begun.promise;
  },
});
