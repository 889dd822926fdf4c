import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  open,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join, dirname } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { compareReleases } from '../../base/settings/compareReleases.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import { syncFolder } from '../../base/system/files/syncFolder.ts';
import { BackupEnd, BackupHeader, HOME_FOLDER, STATE, WORK } from './backupFormat.ts';
import { PROGRESS, RESTORING, saveRestoredRecord } from './homeRecord.ts';
import { readBackup, type ReadBackup, type TakenEntry } from './readBackup.ts';
import {
  RelocationResult,
  relocateCheckouts,
  relocateConfig,
  removeWorkingDirSetting,
} from './relocate.ts';

/** Writes an entry of a backup below `folder`; the content of a file is on the disk when it resolves. */
async function takeEntry(
  folder: string,
  { path, kind, mode, target, modifiedAt }: TakenEntry,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  if (kind === 'folder') await mkdir(place, { recursive: true, mode });
  else if (kind === 'link') await symlink(target, place);
  else {
    await writeSynced(place, mode, content);
    // So that git does not take every file for changed.
    await utimes(place, modifiedAt, modifiedAt);
  }
  if (kind !== 'file') for await (const _ of content);
}

/** Writes a file of this mode; it is on the disk when it resolves, its name is not. */
async function writeSynced(
  place: string,
  mode: number,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(place, 'w', mode);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    // The mask of this process may have taken permissions.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the names of everything in a folder are on the disk. */
async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncTree(join(folder, entry.name));
  await syncFolder(folder);
}

/** What a file system has in its uppermost folder: a home may be one of its own. */
const OF_THE_DISK = 'lost+found';

export type RestoreStep =
  | 'begun'
  | 'entry'
  | 'read'
  | 'relocated'
  | 'moving'
  | 'moved'
  | 'restored';

export interface RestoreRequest {
  /** Absolute. */
  file: string;
  /** Absolute; a folder that does not exist, is empty, or has a restore that was cut. */
  home: string;
  /** This release, and the newest schema of a state that it understands. */
  release: string;
  schema: number;
  pid: number;
  isAlive(pid: number): boolean;
  ids: Ids;
  /** What is wrong with a state.db; empty = nothing. */
  findProblems(stateDb: string): string[];
  onStep?(step: RestoreStep): void;
}

export interface RestoreResult extends ReadBackup {
  home: string;
  relocated: RelocationResult;
  /** Only what an earlier restore had read and checked was put in its place. */
  continued: boolean;
}

const Progress = Type.Object({
  pid: Type.Integer(),
  /** Absolute path of the backup. */
  file: Type.String(),
  /** Called when everything is read, checked and adapted, before the home is moved to its place. */
  restored: Type.Union([
    Type.Null(),
    Type.Object({ header: BackupHeader, end: BackupEnd, relocated: RelocationResult }),
  ]),
});
type Progress = Type.Static<typeof Progress>;

/**
 * Restores a backup into a home. All of it is read, checked and adapted to its place beside what will be the
 * home, and only then moved there; cut before that it begins again, cut after that it continues.
 * Throws SvcError: `conflict` for a home with something in it, `invalid` for a backup that is cut or
 * changed, `not-possible-now` for one of a newer release and while another restore is under way.
 */
export async function restoreHome(request: RestoreRequest): Promise<RestoreResult> {
  const { home, onStep: reached = () => {} } = request;
  const folder = join(home, RESTORING);
  const earlier = await findEarlierRestore(request, folder);
  if (earlier === null) await beginRestore(request, folder);
  reached('begun');
  const restoredContent = earlier ?? (await readInto(request, folder));
  await moveInto(folder, home, reached);
  reached('restored');
  return { ...restoredContent, home, continued: earlier !== null };
}

type RestoredContent = Omit<RestoreResult, 'home' | 'continued'>;

/** What an earlier restore has left to be moved; null = nothing, and then nothing is in the way. */
async function findEarlierRestore(
  request: RestoreRequest,
  folder: string,
): Promise<RestoredContent | null> {
  const { home, file, isAlive } = request;
  const others = (await listHomeNames(home)).filter(
    (name) => name !== RESTORING && name !== OF_THE_DISK,
  );
  const progress = await readRestoreProgress(folder);
  if (progress === null && others.length > 0)
    throw new SvcError(
      'conflict',
      `${home} is not empty: ${others.slice(0, 3).join(', ')}. Nothing was restored. Move it away, or name another home with --home.`,
    );
  if (progress && progress.pid !== request.pid && isAlive(progress.pid))
    throw new SvcError(
      'not-possible-now',
      `The process ${progress.pid} is restoring into ${home}. Wait until it has finished.`,
    );
  if (progress?.restored && progress.file !== file)
    throw new SvcError(
      'conflict',
      `A restore of ${progress.file} into ${home} was started but did not finish. Run it again with that file; to restore another one, remove ${home} first.`,
    );
  if (progress?.restored) return progress.restored;
  await rm(folder, { recursive: true, force: true });
  return null;
}

async function listHomeNames(home: string): Promise<string[]> {
  try {
    return await readdir(home);
  } catch (error) {
    const { code } = Object(error);
    if (code === 'ENOENT') return [];
    throw new SvcError('conflict', `${home} cannot be read as a folder (${code}).`);
  }
}

async function readRestoreProgress(folder: string): Promise<Progress | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, PROGRESS), 'utf8'));
    return Check(Progress, value) ? value : null;
  } catch {
    return null;
  }
}

async function writeProgress(folder: string, progress: Progress): Promise<void> {
  const draft = join(folder, `${PROGRESS}.draft`);
  await writeSynced(draft, 0o600, [Buffer.from(JSON.stringify(progress))]);
  await rename(draft, join(folder, PROGRESS));
  await syncFolder(folder);
}

async function beginRestore({ home, file, pid }: RestoreRequest, folder: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 });
  await writeProgress(folder, { pid, file, restored: null });
}

/** What it has read goes again where it fails. */
async function readInto(request: RestoreRequest, folder: string): Promise<RestoredContent> {
  const { file, onStep: reached = () => {} } = request;
  try {
    const backup = await readBackup(file, {
      begin: (header) => refuseNewer(request, header),
      take: async (entry, content) => {
        await takeEntry(folder, entry, content);
        reached('entry');
      },
    });
    reached('read');
    const relocation = await adaptToHome(request, join(folder, HOME_FOLDER), backup.header);
    reached('relocated');
    await syncTree(join(folder, HOME_FOLDER));
    const { pid } = request;
    await writeProgress(folder, { pid, file, restored: { ...backup, relocated: relocation } });
    reached('moving');
    return { ...backup, relocated: relocation };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    await rmdir(request.home).catch(() => undefined);
    throw error;
  }
}

function refuseNewer(
  { file, release, schema }: Pick<RestoreRequest, 'file' | 'release' | 'schema'>,
  header: BackupHeader,
): void {
  if (header.schema <= schema && compareReleases(header.release, release) <= 0) return;
  throw new SvcError(
    'not-possible-now',
    `${file} was written by svc ${header.release}, and this is svc ${release}, which may not understand it. Install svc ${header.release} or a newer one. Nothing was restored.`,
  );
}

/** Adapts what the backup says of its place to the new home. */
async function adaptToHome(
  { home, ids, findProblems, file }: RestoreRequest,
  restoredDir: string,
  header: BackupHeader,
): Promise<RelocationResult> {
  const problems = findProblems(join(restoredDir, STATE));
  if (problems.length > 0)
    throw new SvcError(
      'invalid',
      `${file} is refused: its state is damaged (${problems[0]}). Nothing was restored.`,
    );
  const configFile = join(restoredDir, 'config.json');
  const move = { from: header.home, to: home };
  await removeWorkingDirSetting(configFile, ids);
  const relocation = {
    settings: await relocateConfig(configFile, move, ids),
    checkouts: await relocateCheckouts(join(restoredDir, WORK), move),
  };
  await saveRestoredRecord(restoredDir, home, { id: header.homeId, path: header.home }, ids);
  return relocation;
}

/** The state comes last: without it nothing takes the folder for a home. */
async function moveInto(
  folder: string,
  home: string,
  onStep: (step: RestoreStep) => void,
): Promise<void> {
  const restoredHome = join(folder, HOME_FOLDER);
  const names = await listHomeNames(restoredHome);
  for (const name of [...names.filter((one) => one !== STATE), STATE]) {
    if (!names.includes(name)) continue;
    await rename(join(restoredHome, name), join(home, name));
    onStep('moved');
  }
  await syncFolder(home);
  // From here on it is a home.
  await rm(join(folder, PROGRESS));
  await rm(folder, { recursive: true, force: true });
}
