import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkPair } from '../pair/checkPair.ts';
import { parseArchiveName } from './archiveFile.ts';
import { verifyArchive } from './verifyArchive.ts';

/** Most bytes of archives read per check, newest first: about 20 seconds. */
const MOST_BYTES = 2 * 1024 ** 3;

/** What a check of archives found. */
export interface ArchivesCondition {
  /** Existing archives, and how many were read. */
  files: number;
  read: number;
  /** Unreadable ones by path. */
  problems: { path: string; problem: string }[];
  /** False: a process holds the state, so missing files are unknown. */
  knowsAll: boolean;
}

interface ExpectedFile {
  file: string;
  sha256: string;
}

/** Checks a state's archives, read-only. `file`: the state.db. `dir`: the archives' folder. */
export async function inspectArchives(file: string, dir: string): Promise<ArchivesCondition> {
  const expected = readExpectedArchives(file);
  const existing = listArchiveFiles(dir);
  const expectedHashes = new Map(expected?.map(({ file: name, sha256 }) => [name, sha256]));
  const problems = (expected ?? [])
    .filter(({ file: name }) => !existing.some((one) => one.name === name))
    .map(({ file: name }) => ({ path: join(dir, name), problem: 'it is missing' }));
  let [read, bytes] = [0, 0];
  // A file without a row is a draft: its rows are still in the state.
  const candidates = existing.filter(({ name }) => expected === null || expectedHashes.has(name));
  for (const { name, size } of candidates) {
    bytes += size;
    if (bytes > MOST_BYTES && read > 0) break;
    const path = join(dir, name);
    const archiveCondition = await verifyArchive(path);
    read += 1;
    if ('problem' in archiveCondition) problems.push({ path, problem: archiveCondition.problem });
    else if (expectedHashes.has(name) && expectedHashes.get(name) !== archiveCondition.sha256)
      problems.push({ path, problem: 'it is not the file that was written' });
  }
  return { files: candidates.length, read, problems, knowsAll: expected !== null };
}

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
      const stats = statSync(join(dir, name), { throwIfNoEntry: false });
      return stats ? [{ name, size: stats.size, mtimeMs: stats.mtimeMs }] : [];
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? -1 : 1));
}

/** Archives known to the state; null = a process holds it, or it cannot be read. */
function readExpectedArchives(file: string): ExpectedFile[] | null {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    // SQLite would delete the log of an empty state.
    if (checkPair(file) !== null) return null;
    db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    // States before version 25 have none.
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
