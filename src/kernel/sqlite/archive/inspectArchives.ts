import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkPair } from '../pair/checkPair.ts';
import { parseArchiveName } from './archiveFile.ts';
import { verifyArchive } from './verifyArchive.ts';

/** Most bytes of archives that are read in one look, the newest first: about 20 seconds. */
const MOST_BYTES = 2 * 1024 ** 3;

/** What a look at archives has found. */
export interface ArchivesCondition {
  /** Archives that exist, and how many of them were read. */
  files: number;
  read: number;
  /** Those that cannot be read, by path. */
  problems: { path: string; problem: string }[];
  /** False: a process has the state, so that it is unknown which files are missing. */
  knowsAll: boolean;
}

interface Expected {
  file: string;
  sha256: string;
}

/**
 * Checks whether the archives of a state are whole, without changing anything. `file`: the state.db.
 * `dir`: the folder of its archives.
 */
export async function inspectArchives(file: string, dir: string): Promise<ArchivesCondition> {
  const expected = readExpectedArchives(file);
  const existing = listArchiveFiles(dir);
  const wanted = new Map(expected?.map(({ file: name, sha256 }) => [name, sha256]));
  const problems = (expected ?? [])
    .filter(({ file: name }) => !existing.some((one) => one.name === name))
    .map(({ file: name }) => ({ path: join(dir, name), problem: 'it is missing' }));
  let [read, bytes] = [0, 0];
  // A file without a row is a draft of svc's: its rows are still in the state.
  const known = existing.filter(({ name }) => expected === null || wanted.has(name));
  for (const { name, size } of known) {
    bytes += size;
    if (bytes > MOST_BYTES && read > 0) break;
    const path = join(dir, name);
    const found = await verifyArchive(path);
    read += 1;
    if ('problem' in found) problems.push({ path, problem: found.problem });
    else if (wanted.has(name) && wanted.get(name) !== found.sha256)
      problems.push({ path, problem: 'it is not the file that was written' });
  }
  return { files: known.length, read, problems, knowsAll: expected !== null };
}

/** The archives in the folder, the newest first. */
function listArchiveFiles(dir: string): { name: string; size: number }[] {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch {
    return [];
  }
  return names
    .filter((name) => parseArchiveName(name) !== null)
    .flatMap((name) => {
      const found = statSync(join(dir, name), { throwIfNoEntry: false });
      return found ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : [];
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? -1 : 1));
}

/** The archives that the state knows; null = a process has it, or it cannot be read. */
function readExpectedArchives(file: string): Expected[] | null {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    // Of an empty state SQLite would delete the log.
    if (checkPair(file) !== null) return null;
    db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    // A state from before version 25 has none.
    if (!db.prepare("SELECT 1 AS yes FROM sqlite_master WHERE name = 'archives'").get()) return [];
    return db
      .prepare('SELECT file, sha256 FROM archives WHERE removed_at IS NULL ORDER BY actor, n')
      .all()
      .map(({ file: name, sha256 }) => ({ file: String(name), sha256: String(sha256) }));
  } catch {
    return null;
  } finally {
    db?.close();
  }
}
