import { existsSync } from 'node:fs';
import { mkdir, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Log } from '../../../base/system/log/log.ts';
import { isProcessAlive } from '../../../base/system/process/isProcessAlive.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { pause } from '../../../base/time/pause.ts';
import { isDatabaseAway } from '../databaseFaults.ts';
import { DEFAULT_PORT } from '../readDatabaseUrl.ts';
import { chooseProgram } from './chooseProgram.ts';
import { claimServer, type ServerClaim } from './claimServer.ts';
import { formatLocalUrl } from './formatLocalUrl.ts';
import { initializeData, makePostgresFolder, removeDrafts } from './initializeData.ts';
import type { LocalPlaces } from '../../../base/system/postgres/localPlaces.ts';
import { openSocketFolder, type SocketFolder } from './openSocketFolder.ts';
import type { PostgresProgram } from './postgresProgram.ts';
import { readPostmasterFile } from '../../../base/system/postgres/postmasterFile.ts';
import { readLocalPassword } from './readLocalPassword.ts';
import { startServer } from './startServer.ts';

/** How long a start is tried again while processes of a killed server still hold its memory, ms. */
export const HELD_MEMORY_MS = 6_000;
/** Between two such attempts, ms. */
const RETRY_MS = 100;
/** From this size on the log of PostgreSQL begins again, bytes. */
const MOST_LOG_BYTES = 4 * 1024 * 1024;
/** How long PostgreSQL may take to stop in order, ms; then it stops at once, and repeats its log at the next start. */
const STOP_MS = 10_000;
/** Interval of the check for its end during a stop, ms. */
const STOP_CHECK_MS = 10;
/** Interval of the check whether it still runs, ms. */
const WATCH_MS = 1_000;

/** What a server says that finds one before it, or its processes; others may not be tried again. */
const HELD = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

export interface LocalPostgres {
  /** With its password. */
  url: string;
  version: string;
  /** Of the server's first process. */
  pid: number;
  stop(): Promise<void>;
}

export interface LocalPostgresOptions {
  places: LocalPlaces;
  /** What is installed, the newest first; at least one. */
  programs: readonly PostgresProgram[];
  ids: Ids;
  clock: Clock;
  log: Log;
  /** For tests, which need no safety from a loss of power. */
  settings?: Readonly<Record<string, string>>;
  /** Default: new data are on the disk before they are used. */
  isDurable?: boolean;
}

interface Running {
  pid: number;
  claim: ServerClaim;
  url: string;
}

/**
 * Starts PostgreSQL for this home, on a Unix socket that no other user reaches; the first time it makes
 * the data. Takes over a server that a killed svc left running, and starts one again that ends.
 * @throws SvcError `not-possible-now` with what PostgreSQL says, `conflict` where another svc uses it
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { places, clock, ids, log, isDurable = true } = options;
  // Of the folders above the data only the names are needed.
  const mode = places.runAs === null ? 0o700 : 0o755;
  await mkdir(dirname(places.base), { recursive: true, mode });
  await makePostgresFolder(places.base, places);
  const password = await readLocalPassword(places, ids);
  const program = await chooseProgram(places.data, options.programs);
  if (!existsSync(places.data))
    await initializeData(places, program, { password, name: ids.next(), isDurable });
  await openLogFile(places.logFile);
  const socket = await openSocketFolder(places);
  const startOnce = () => openServer(options, program, password, socket);
  let running: Running;
  try {
    running = await startOnce();
    await removeDrafts(places, null);
  } catch (error) {
    await socket.remove();
    throw error;
  }
  const endWatch = watch(
    clock,
    async () => {
      if (isProcessAlive(running.pid)) return;
      log.error({ log: places.logFile }, 'PostgreSQL has ended, and is started again');
      await running.claim.release();
      running = await startOnce();
    },
    log,
  );
  return {
    url: running.url,
    version: program.version,
    pid: running.pid,
    async stop() {
      await endWatch();
      await running.claim.release();
      await stopServer(running.pid, clock);
      await socket.remove();
    },
  };
}

/** Takes over the server of this home, or starts one. */
async function openServer(
  { places, clock, settings = {} }: LocalPostgresOptions,
  program: PostgresProgram,
  password: string,
  socket: SocketFolder,
): Promise<Running> {
  const deadline = clock.now() + HELD_MEMORY_MS;
  const withSocket = { ...settings, unix_socket_directories: socket.path, port: DEFAULT_PORT };
  for (;;) {
    const runningServer = await claimRunning(places, password);
    if (runningServer !== null) return runningServer;
    const startResult = await startServer(program, places, withSocket, clock);
    if ('pid' in startResult) {
      const url = formatLocalUrl(password, socket.path);
      return { pid: startResult.pid, url, claim: await claimOrRefuse(url, places) };
    }
    if (!HELD.test(startResult.said) || clock.now() >= deadline)
      throw new SvcError(
        'not-possible-now',
        `PostgreSQL ${program.version} does not start: ${startResult.said}. Its log is ${places.logFile}.`,
      );
    await pause(clock, RETRY_MS);
  }
}

/** The server of these data, if it runs and takes connections. */
async function claimRunning(places: LocalPlaces, password: string): Promise<Running | null> {
  const postmaster = await readPostmasterFile(places.data);
  if (postmaster === null || !postmaster.isReady || !isProcessAlive(postmaster.pid)) return null;
  const url = formatLocalUrl(password, postmaster.socketFolder);
  try {
    return { pid: postmaster.pid, url, claim: await claimOrRefuse(url, places) };
  } catch (error) {
    if (isDatabaseAway(error)) return null;
    throw error;
  }
}

async function claimOrRefuse(url: string, { data }: LocalPlaces): Promise<ServerClaim> {
  const claim = await claimServer(url);
  if (claim !== null) return claim;
  throw new SvcError(
    'conflict',
    `Another svc cloud start of this home is running, with the database in ${data}. Stop it, or give both the same database with DATABASE_URL.`,
  );
}

/** Calls `check` again and again, never twice at once. The returned function ends it. */
function watch(clock: Clock, check: () => Promise<void>, log: Log): () => Promise<void> {
  let cancel: () => void = () => undefined;
  let current: Promise<void> = Promise.resolve();
  let isOver = false;
  const arm = (): void => {
    cancel = clock.at(clock.now() + WATCH_MS, () => {
      current = check()
        .catch((error: unknown) => log.error({ err: error }, 'PostgreSQL was not started again'))
        .finally(() => {
          if (!isOver) arm();
        });
    });
  };
  arm();
  return async () => {
    isOver = true;
    cancel();
    await current;
  };
}

async function openLogFile(file: string): Promise<void> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > MOST_LOG_BYTES) await truncate(file);
}

async function stopServer(pid: number, clock: Clock): Promise<void> {
  if (!isProcessAlive(pid)) return;
  // Ends the connections that are left, and writes everything.
  process.kill(pid, 'SIGINT');
  for (const deadline = clock.now() + STOP_MS; clock.now() < deadline; ) {
    if (!isProcessAlive(pid)) return;
    await pause(clock, STOP_CHECK_MS);
  }
  process.kill(pid, 'SIGQUIT');
  while (isProcessAlive(pid)) await pause(clock, STOP_CHECK_MS);
}
