import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';

export const ENDINGS = ['', '-wal', '-shm', '-journal', '-manifest'] as const;

/** Files of a state at one moment: ending → content. */
export type Moment = Partial<Record<(typeof ENDINGS)[number], Buffer | undefined>>;

/** Hundreds of states are opened, each with syncs of its files. */
const MEMORY = '/dev/shm';

export const JOBS = 6;
const ROW = `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
  VALUES (?, 'job', 1, ?, 1, 1, 1, 'coding', 'job', 0, 'parked', 1, 1, 1)`;

export const readMoment = (file: string): Moment =>
  Object.fromEntries(
    ENDINGS.filter((end) => existsSync(`${file}${end}`)).map((end) => [
      end,
      readFileSync(`${file}${end}`),
    ]),
  );

/** Where states are made; `remove` at the end. */
export function pairStage() {
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'svc-pair-'));
  let folders = 0;
  const folder = (): string => {
    folders += 1;
    const path = join(root, `${folders}`);
    mkdirSync(path);
    return path;
  };

  /** A state with jobs, and the moments of its life. */
  const life = () => {
    const file = join(folder(), 'state.db');
    openStore({ file, pid: 1, now: 0 }).close();
    writeFileSync(join(file, '../home.json'), JSON.stringify({ id: file, path: '/' }));
    let jobs = 0;
    let db = new Database(file);
    const add = (count: number): void => {
      for (let n = 0; n < count; n += 1) {
        jobs += 1;
        db.transaction(() => void db.run(ROW, `shop-job-${jobs}`, 'x'.repeat(9_000)));
      }
    };
    add(1);
    const firstRun = readMoment(file);
    db.close();
    const firstStop = readMoment(file);
    db = new Database(file);
    add(1);
    const beforeCopy = readMoment(file);
    db.checkpoint();
    add(1);
    const afterCopy = readMoment(file);
    add(JOBS - 3);
    const killed = readMoment(file);
    db.close();
    return { firstRun, firstStop, beforeCopy, afterCopy, killed, stopped: readMoment(file) };
  };

  /** A home with these files; the id in home.json is that of the life which `manifest` is of, if it is given. */
  const home = (files: Moment, manifest?: Buffer): string => {
    const path = folder();
    const file = join(path, 'state.db');
    for (const end of ENDINGS) {
      const content = files[end];
      if (content !== undefined) writeFileSync(`${file}${end}`, content);
    }
    const id = manifest && /"home":"([^"]+)"/.exec(manifest.toString())?.[1];
    if (id) writeFileSync(join(path, 'home.json'), JSON.stringify({ id, path }));
    return file;
  };

  return { root, folder, life, home, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Every file beside the state: name → hash. */
export function hashes(file: string): Record<string, string> {
  const folder = join(file, '..');
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );
}

/** What a start makes of it: how many jobs there are, or why it is refused. */
export function openPairFile(file: string): number | string {
  let db: Database;
  try {
    db = new Database(file);
  } catch (error) {
    const { doubt } = Object(Object(error).data);
    return String(doubt ?? error);
  }
  try {
    const problems = db.all('PRAGMA integrity_check').map((row) => String(row.integrity_check));
    if (problems[0] !== 'ok') return problems.join('; ');
    return Number(db.get('SELECT count(*) AS jobs FROM actors')?.jobs);
  } catch (error) {
    return String(error);
  } finally {
    db.close();
  }
}
