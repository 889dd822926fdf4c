import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { HOME_FOLDER, WORK } from './backupFormat.ts';
import type { EntryHead } from './digest.ts';

export interface HomeEntry extends Omit<EntryHead, 'size'> {
  source: string;
  modifiedAt: Date;
}

export interface HomeParts {
  home: string;
  workingDir: string;
  takesJob(jobId: string): boolean;
  /** Called for what is not part of the backup though it should be. */
  onUnread(path: string): void;
}

/**
 * What belongs to a process, to this installation or to this place alone, or is copied in another
 * way: the state, its copies, the folders of jobs and drafts. And the database of a control plane: a copy of its
 * files while it runs is worth nothing.
 */
const LEFT_OUT =
  /^(ca-bundle\.pem|runner\.(json|lock\.json).*|(handover|failed-build|home|cloud-login)\.json.*|home\.id.*|service\.(cmd|xml|env)|cloud\.env|(caches?|cloud|programs|logs|chats|\.restore|lost\+found)|(sandbox-try-|\.doctor-).*|state\.db.*|.*\.draft)$/;
const MIRRORS = 'mirrors';
/** In a job's folder: what gc has begun to remove, and clones that were never finished. */
const HALF_THERE = /^\.(gone-|.+\.cloning)/;
const KEPT = 'refs/svc/kept';
const OBJECTS = 'objects';
/** Most looks at it: one in which agents write all the time comes to an end. */
const MOST_LOOKS = 10;
const NOT_UTF8 = '\uFFFD';
const PERMISSIONS = 0o777;
/** A copy can be read and removed by its owner, whatever an agent took from the original. */
const READABLE = 0o400;
const OPEN_FOLDER = 0o700;

/**
 * Everything of a home that a backup holds but the state: folders before what they contain. Sockets
 * and the like are passed over, as is what disappears meanwhile; links are not followed.
 */
export async function* walkHomeEntries({
  home,
  workingDir,
  takesJob,
  onUnread,
}: HomeParts): AsyncGenerator<HomeEntry> {
  const walk = createHomeWalker(onUnread);
  for (const name of await listReadableNames(home, onUnread)) {
    const source = join(home, name);
    if (LEFT_OUT.test(name) || source === workingDir || name === WORK) continue;
    yield* walk({ source, path: `${HOME_FOLDER}${name}`, inMirrors: name === MIRRORS });
  }
  for (const name of await listReadableNames(workingDir, onUnread)) {
    if (!takesJob(name)) continue;
    yield* walk({ source: join(workingDir, name), path: `${HOME_FOLDER}${WORK}/${name}` });
  }
}

interface WalkPlace {
  source: string;
  path: string;
  inGit?: boolean;
  inMirrors?: boolean;
}

function createHomeWalker(onUnread: HomeParts['onUnread']) {
  const orUnread = <Read>(path: string, read: () => Promise<Read>): Promise<Read | null> =>
    read().catch((error: unknown) => {
      if (!isMissingFile(error)) onUnread(path);
      return null;
    });
  return async function* walk(place: WalkPlace): AsyncGenerator<HomeEntry> {
    const { source, path, inGit = false, inMirrors = false } = place;
    const stats = await orUnread(source, () => lstat(source));
    if (stats === null) return;
    const entry = { source, path, modifiedAt: stats.mtime };
    const mode = stats.mode & PERMISSIONS;
    if (stats.isSymbolicLink()) {
      const target = await orUnread(source, () => readlink(source));
      if (target !== null) yield { ...entry, kind: 'link', mode, target };
      return;
    }
    if (stats.isFile()) yield { ...entry, kind: 'file', mode: mode | READABLE, target: '' };
    if (!stats.isDirectory()) return;
    const names = await listReadableNames(source, onUnread);
    const isGit = names.includes('HEAD') && names.includes(OBJECTS);
    // Any other is cloned again when it is needed.
    if (inMirrors && isGit && !(await holdsSavedWork(source))) return;
    yield { ...entry, kind: 'folder', mode: mode | OPEN_FOLDER, target: '' };
    for (const name of isGit ? moveObjectsLast(names) : names) {
      if (HALF_THERE.test(name)) continue;
      // The lock of a git that is at work here would block every other one in the copy.
      if ((isGit || inGit) && name.endsWith('.lock')) continue;
      const inner = {
        source: join(source, name),
        path: `${path}/${name}`,
        inGit: isGit || inGit,
        inMirrors: inMirrors && !isGit,
      };
      yield* isGit && name === OBJECTS ? repeatUntilNoNewEntries(() => walk(inner)) : walk(inner);
    }
  };
}

/** A git that packs its objects meanwhile replaces files by others, which the first look has missed. */
async function* repeatUntilNoNewEntries(look: () => AsyncGenerator<HomeEntry>) {
  const seenDirs = new Set<string>();
  for (let before = -1, looks = 0; before < seenDirs.size && looks < MOST_LOOKS; looks += 1) {
    before = seenDirs.size;
    for await (const entry of look()) {
      if (seenDirs.has(entry.path)) continue;
      seenDirs.add(entry.path);
      yield entry;
    }
  }
}

/** Refs that were copied first lead to objects that are copied after them, whatever is committed meanwhile. */
const moveObjectsLast = (names: string[]): string[] => [
  ...names.filter((name) => name !== OBJECTS),
  OBJECTS,
];

/** Whether cleanup has saved work in a mirror, which no remote has. */
async function holdsSavedWork(gitDir: string): Promise<boolean> {
  if (existsSync(join(gitDir, KEPT))) return true;
  const packedRefs = await readFile(join(gitDir, 'packed-refs'), 'utf8').catch(() => '');
  return packedRefs.includes(` ${KEPT}/`);
}

/** Names that are not UTF-8 are not read: several could look the same. */
async function listReadableNames(
  folder: string,
  onUnread: HomeParts['onUnread'],
): Promise<string[]> {
  try {
    const names = await readdir(folder);
    for (const name of names) if (name.includes(NOT_UTF8)) onUnread(join(folder, name));
    return names.filter((name) => !name.includes(NOT_UTF8)).sort();
  } catch (error) {
    if (!isMissingFile(error)) onUnread(folder);
    return [];
  }
}
