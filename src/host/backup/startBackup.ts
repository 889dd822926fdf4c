import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { BackupWork } from '../../contract/schema/runner/backup.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { FORMAT, STATE } from './backupFormat.ts';
import { readOwnHomeId } from './homeRecord.ts';

export interface BackUpRequest {
  settings: Pick<Settings, 'home' | 'version'> & { paths: Pick<Settings['paths'], 'workingDir'> };
  work: BackupWork;
  /** Epoch ms. */
  now: number;
  copyState(file: string): Promise<{ schema: number; jobs: Set<string>; active: Set<string> }>;
}

const toStateDraftPath = (home: string): string => join(home, `${STATE}.backup.draft`);

/** Removes what a backup has left whose process was killed; only while none is under way. */
export const removeLeftCopy = (home: string): Promise<void> =>
  rm(toStateDraftPath(home), { force: true });

/**
 * Begins a backup of a home: copies its state beside it, then gives the stream of the tar. The
 * copy is removed when the stream is closed, so it is to be read or destroyed. While it is read no cleanup may
 * remove what the state refers to.
 */
export async function startBackup({
  settings,
  work,
  now,
  copyState,
}: BackUpRequest): Promise<Readable> {
  const { home, version } = settings;
  const workingDir = resolve(settings.paths.workingDir);
  const stateCopy = toStateDraftPath(home);
  const remove = () => removeLeftCopy(home);
  try {
    const createdAt = new Date(now).toISOString();
    const { schema, jobs, active } = await copyState(stateCopy);
    const id = await readOwnHomeId(home);
    const header = {
      format: FORMAT,
      release: version,
      schema,
      home,
      ...(id === undefined ? {} : { homeId: id }),
      workingDir,
      createdAt,
      work,
      jobs: jobs.size,
      active: active.size,
    } as const;
    const takesJob = (id: string): boolean =>
      work === 'all' || (work === 'active' && (active.has(id) || !jobs.has(id)));
    // With the library for tar: a start does not load it.
    const { writeBackup } = await import('./writeBackup.ts');
    const stream = writeBackup({ home, workingDir, takesJob, header, stateCopy });
    stream.once('close', () => void remove().catch(() => undefined));
    return stream;
  } catch (error) {
    await remove();
    throw error;
  }
}
