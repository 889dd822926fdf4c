import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createDeferred } from '../../base/concurrency/createDeferred.ts';
import type { TaskLock } from '../../base/concurrency/taskLock.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import { type BackUpRequest, startBackup } from './startBackup.ts';

export interface BackupsDeps extends Pick<BackUpRequest, 'settings'> {
  store: { copyTo: BackUpRequest['copyState'] };
  upkeep: Pick<TaskLock, 'take'>;
  now(): number;
}

/** Backups of the home of a running runner, one at a time and not during a cleanup. */
export const createBackups = ({
  settings,
  store,
  upkeep,
  now,
}: BackupsDeps): Pick<Runner, 'backup'> => ({
  async backup({ work = 'all' }) {
    const readable = createDeferred<Readable>();
    upkeep
      .take('a backup', async () => {
        const copyState = (file: string) => store.copyTo(file);
        const stream = await startBackup({ settings, work, now: now(), copyState });
        readable.resolve(stream);
        // Its failure reaches the reader.
        await finished(stream).catch(() => undefined);
      })
      .catch(readable.reject);
    return readable.promise;
  },
});
