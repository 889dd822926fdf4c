import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { isMissingFile } from '../../../base/errors/isMissingFile.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Log } from '../../../base/system/log/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { pause } from '../../../base/time/pause.ts';
import { DEFAULT_PORT } from '../readDatabaseUrl.ts';
import {
  initializeData,
  LOCAL_DATABASE,
  LOCAL_USER,
  makePostgresFolder,
} from './initializeData.ts';
import type { LocalPlaces } from './localPlaces.ts';
import { openSocketFolder } from './openSocketFolder.ts';
import type { PostgresProgram } from './postgresProgram.ts';
import { startServer } from './startServer.ts';

/** From this size on the log of PostgreSQL begins again, bytes. */
const MOST_LOG_BYTES = 4 * 1024 * 1024;
/** How long PostgreSQL may take to stop in order, ms; then it stops at once, and repeats its log at the next start. */
const STOP_MS = 10_000;
/** Interval of the check for its end, ms. */
const LOOK_MS = 10;

export interface LocalPostgres {
  /** With its password. */
  url: string;
  version: string;
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
  initArguments?: readonly string[];
}

/**
 * Starts PostgreSQL for this home, on a Unix socket that no other user reaches; the first time it makes
 * the data.
 * @throws SvcError `not-possible-now`, with the way to a database of one's own
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { places, clock, settings = {}, initArguments = [] } = options;
  await makeFolders(places);
  const password = await readPassword(options);
  const program = await chooseProgram(options);
  if (!existsSync(places.data)) await initializeData(places, program, password, initArguments);
  await openLogFile(places.logFile);
  const socket = await openSocketFolder(places);
  const withSocket = { ...settings, unix_socket_directories: socket.path, port: DEFAULT_PORT };
  try {
    const child = await startServer(program, places, withSocket, clock);
    return {
      url: formatLocalUrl(password, socket.path),
      version: program.version,
      pid: child.pid ?? 0,
      async stop() {
        await stopServer(child, clock);
        await socket.remove();
      },
    };
  } catch (error) {
    await socket.remove();
    throw error;
  }
}

/** `name`: of the database. */
export const formatLocalUrl = (
  password: string,
  socketFolder: string,
  name = LOCAL_DATABASE,
): string =>
  `postgres://${LOCAL_USER}:${password}@localhost/${name}?host=${encodeURIComponent(socketFolder)}`;

async function makeFolders(places: LocalPlaces): Promise<void> {
  // Of the folder above the data only the name is needed.
  await mkdir(dirname(places.base), {
    recursive: true,
    mode: places.runAs === null ? 0o700 : 0o755,
  });
  await makePostgresFolder(places.base, places);
  await mkdir(dirname(places.passwordFile), { recursive: true, mode: 0o700 });
}

async function readPassword({ places, ids }: LocalPostgresOptions): Promise<string> {
  const { passwordFile, data } = places;
  try {
    return (await readFile(passwordFile, 'utf8')).trim();
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  if (existsSync(data))
    throw new SvcError(
      'not-possible-now',
      `${passwordFile} is missing, and without it the database in ${data} cannot be opened. Put the file back, or move the folder away to start with an empty database.`,
    );
  const password = ids.secret();
  await writePrivateFile(passwordFile, `${password}\n`, ids.next());
  return password;
}

/** The program that the data were made with; for new data the newest. */
async function chooseProgram({ places, programs }: LocalPostgresOptions): Promise<PostgresProgram> {
  const [newest] = programs;
  if (newest === undefined) throw new Error('no PostgreSQL was given');
  if (!existsSync(places.data)) return newest;
  const major = Number((await readFile(join(places.data, 'PG_VERSION'), 'utf8')).trim());
  const fitting = programs.find((one) => one.major === major);
  if (fitting !== undefined) return fitting;
  throw new SvcError(
    'not-possible-now',
    `The database in ${places.data} was made by PostgreSQL ${major}, and this machine has PostgreSQL ${newest.version}. Install PostgreSQL ${major} beside it, and svc uses that. To move the data instead, start PostgreSQL ${major} on the folder, write them to a file with pg_dumpall, move the folder away, start svc cloud once, and read the file with psql.`,
    { data: { found: newest.major, needed: major } },
  );
}

async function openLogFile(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_LOG_BYTES) await truncate(file);
}

async function stopServer(child: ChildProcess, clock: Clock): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  // Ends the connections that are left, and writes everything.
  child.kill('SIGINT');
  for (const deadline = clock.now() + STOP_MS; !hasEnded() && clock.now() < deadline; )
    await pause(clock, LOOK_MS);
  if (hasEnded()) return;
  child.kill('SIGQUIT');
  while (!hasEnded()) await pause(clock, LOOK_MS);
}
