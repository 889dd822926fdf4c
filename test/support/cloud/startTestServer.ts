import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { initializeData } from '../../../src/cloud/database/local/initializeData.ts';
import {
  type LocalPlaces,
  UNPRIVILEGED_UID,
} from '../../../src/base/system/postgres/localPlaces.ts';
import { openSocketFolder } from '../../../src/cloud/database/local/openSocketFolder.ts';
import type { PostgresProgram } from '../../../src/cloud/database/local/postgresProgram.ts';
import { startServer } from '../../../src/cloud/database/local/startServer.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { createDatabaseOn } from './createDatabaseOn.ts';

/** What protects from a loss of power, tests do not need. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '60',
};
const PASSWORD = 'test';
/** Data with a migrated database, which every test process copies: making them costs a second of a processor. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/svc/postgres');
/** Age from which they are no longer used, ms. */
const OLD_MS = 24 * 3_600_000;
const SOURCES = join(import.meta.dirname, '../../../src/cloud/database/migrations');
/** Migrated once; every test gets a copy. */
export const TEMPLATE = 'template_svc';

const runAs = process.getuid?.() === 0 ? UNPRIVILEGED_UID : null;

const toPlaces = (base: string): LocalPlaces => ({
  base,
  data: join(base, 'data'),
  passwordFile: join(base, 'password'),
  keyFile: join(base, 'key'),
  logFile: join(base, 'log'),
  runAs,
});

/** Servers of test processes that were killed. */
function removeLeftServers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = Number(/^svc-pg-(\d+)-/.exec(name)?.[1] ?? process.pid);
    if (isAlive(owner)) continue;
    const { base, data } = toPlaces(join(tmpdir(), name));
    const file = join(data, 'postmaster.pid');
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGQUIT');
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeBase(): LocalPlaces {
  removeLeftServers();
  const base = mkdtempSync(join(tmpdir(), `svc-pg-${process.pid}-`));
  if (runAs !== null) chownSync(base, runAs, runAs);
  return toPlaces(base);
}

async function launch(program: PostgresProgram, places: LocalPlaces) {
  const { path } = await openSocketFolder(places);
  const settings = { ...FAST, unix_socket_directories: path };
  const started = await startServer(program, places, settings, systemClock);
  if ('said' in started) throw new Error(`PostgreSQL: ${started.said}`);
  const url = `postgres://svc:${PASSWORD}@localhost/postgres?host=${encodeURIComponent(path)}`;
  return { url, pid: started.pid, socket: path };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** What older migrations left. Another worktree may be using one that is younger. */
function removeOldData(): void {
  for (const other of readdirSync(CACHE).map((name) => join(CACHE, name)))
    if (Date.now() - statSync(other).ctimeMs > OLD_MS)
      rmSync(other, { recursive: true, force: true });
}

async function makeCachedData(program: PostgresProgram, cached: string): Promise<void> {
  const places = makeBase();
  const how = { password: PASSWORD, name: 'test', isDurable: false };
  await initializeData(places, program, how);
  const { url, pid } = await launch(program, places);
  const database = await openDatabase(await createDatabaseOn(url, TEMPLATE, null), {
    log: silentLog,
    max: 1,
  });
  await database.close();
  process.kill(pid, 'SIGINT');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  mkdirSync(CACHE, { recursive: true });
  removeOldData();
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  execFileSync('cp', ['-a', places.data, draft]);
  rmSync(places.base, { recursive: true, force: true });
  try {
    renameSync(join(draft, 'data'), cached);
  } catch {
    // Another test process was faster.
  }
  rmSync(draft, { recursive: true, force: true });
}

/** A server of this process, with a migrated database {@link TEMPLATE}; it ends with the process. */
export async function startTestServer(
  program: PostgresProgram,
): Promise<{ url: string; pid: number }> {
  const migrations = readdirSync(SOURCES)
    .sort()
    .map((file) => readFileSync(join(SOURCES, file)));
  const kind = `${program.version}-${runAs ?? 'own'}-${sha256(Buffer.concat(migrations)).slice(0, 16)}`;
  const cached = join(CACHE, kind);
  if (!existsSync(cached)) await makeCachedData(program, cached);
  const places = makeBase();
  execFileSync('cp', ['-a', cached, places.data]);
  const { url, pid, socket } = await launch(program, places);
  process.once('exit', () => {
    // At once: nothing of it is needed again. A test may have ended it.
    if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
    rmSync(places.base, { recursive: true, force: true, maxRetries: 5 });
    rmSync(socket, { recursive: true, force: true });
  });
  return { url, pid };
}
