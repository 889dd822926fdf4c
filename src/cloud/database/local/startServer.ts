import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../base/time/clock.ts';
import { pause } from '../../../base/time/pause.ts';
import type { LocalPlaces } from '../../../base/system/postgres/localPlaces.ts';
import type { PostgresProgram } from './postgresProgram.ts';
import { readPostmasterFile } from '../../../base/system/postgres/postmasterFile.ts';

/** Interval of the check whether the server is ready, ms. */
const CHECK_MS = 10;
/** Longest time until it is ready, ms: after a crash it first repeats its log. */
const READY_MS = 120_000;
/** Characters of its last words that are shown. */
const SHOWN_CHARS = 500;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  log_min_messages: 'warning',
  // Statements may hold what people wrote.
  log_min_error_statement: 'panic',
};

const toArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

function spawnServer(
  { folder }: PostgresProgram,
  places: LocalPlaces,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const { base, data, logFile, runAs } = places;
  const log = openSync(logFile, 'a', 0o600);
  try {
    const args = ['-D', data, ...toArguments({ ...SETTINGS, ...settings })];
    const child = spawn(join(folder, 'postgres'), args, {
      cwd: base,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
      // A Ctrl-C in the terminal is for svc, which still needs it.
      detached: true,
      ...(runAs === null ? {} : { uid: runAs, gid: runAs }),
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

const waitForEnd = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });

/**
 * Starts PostgreSQL on a data folder once, and resolves when it takes connections, or has ended: with
 * its last words.
 */
export async function startServer(
  program: PostgresProgram,
  places: LocalPlaces,
  settings: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<{ pid: number } | { said: string }> {
  const { data, logFile } = places;
  const child = spawnServer(program, places, settings);
  const before = (await stat(logFile)).size;
  let end: string | null = null;
  void waitForEnd(child).then((how) => {
    end = how;
  });
  const deadline = clock.now() + READY_MS;
  while (end === null) {
    const running = await readPostmasterFile(data);
    if (running?.isReady && running.pid === child.pid) return { pid: running.pid };
    if (clock.now() > deadline) {
      child.kill('SIGQUIT');
      return { said: `it was not ready after ${READY_MS / 1000} s` };
    }
    await pause(clock, CHECK_MS);
  }
  const logText = (await readFile(logFile)).subarray(before).toString().trim();
  return { said: logText === '' ? end : logText.slice(-SHOWN_CHARS) };
}
