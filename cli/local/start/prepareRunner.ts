import { homedir, networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { takeUpMovedConfig } from '../../../src/host/backup/relocate.ts';
import type { RunnerProcess } from '../../../src/contract/runner/runnerProcess.ts';
import { readEnvironment, type Env } from '../../../src/host/config/home/env.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { resolveConfigPlace } from '../../../src/host/config/home/resolveConfigPlace.ts';
import {
  readHomeIdentity,
  removeRunnerInfo,
  writeRunnerInfo,
} from '../../../src/host/config/home/runnerInfo.ts';
import { readProgramAt, type Program } from '../../../src/host/upgrade/program.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { createLog, type LevelledLog } from '../../../src/base/system/log/log.ts';
import { createFileLog } from '../../../src/base/system/log/logFile.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import type { StartOptions } from '../../../src/main.ts';
import type { HandOver } from '../../../src/host/start/teamConnection.ts';
import { openBrowser, shouldOpenBrowser } from '../../remote/browser.ts';
import type { RunnerModule } from './runnerModule.ts';
import { checkGit } from '../../doctor/git.ts';
import type { StartFlags } from '../../input/parseStartFlags.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { formatRunnerLogLine } from '../../render/runner/formatRunnerLogLine.ts';
import type { StartStreams } from './startStreams.ts';
import { isLoopbackAddress } from '../../../src/base/http/isLoopbackAddress.ts';

const EVERY_ADDRESS = ['0.0.0.0', '::', '[::]'];

interface NetworkAddress {
  address: string;
  internal: boolean;
  scopeid?: number | undefined;
}

/** The addresses of a runner that other machines can reach, and its token; empty on loopback. */
export function describeReach(
  host: string,
  url: string,
  interfaces: Readonly<Record<string, readonly NetworkAddress[] | undefined>>,
): string {
  if (isLoopbackAddress(host)) return '';
  const { port } = new URL(url);
  const addresses = EVERY_ADDRESS.includes(host)
    ? Object.values(interfaces)
        .flatMap((each) => each ?? [])
        .filter(({ internal, scopeid }) => !internal && !scopeid)
        .map(({ address }) => address)
    : [host];
  const urls = addresses.map(
    (address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
  );
  const where = urls.length === 0 ? 'an address that it does not have yet' : urls.join(', ');
  return `Other machines can reach this runner (server.host is ${host}) at ${where}. Requests need the token in runner.token.\n`;
}

export const ownRoot = findPackageRoot(import.meta.url);

let own: Promise<Program> | null = null;
/** This program; read once, since all of its files are in its name. */
export const readOwnProgram = (): Promise<Program> => (own ??= readProgramAt(ownRoot));

export interface StartParts {
  flags: StartFlags;
  env: Env;
  streams: StartStreams;
  loadMain(): Promise<RunnerModule>;
}

export interface OpenOptions {
  process: RunnerProcess;
  /** Instead of any free port; default: any. */
  port?: number;
  /** Requests other than /health wait for it; default: they do not. */
  confirmed?: Promise<void>;
  /** Default: a state that another process has is refused at once. */
  stateWait?: StartOptions['stateWait'];
  /** The home is that of a lost runner; default: it is its own. */
  adopted?: StartOptions['adopted'];
}

export interface OpenedRunner {
  url: string;
  /** Says where it listens, to people or as JSON, and opens the dashboard where that is wanted. */
  greet(): Promise<void>;
  reload(): Promise<void>;
  /** Stops it in order, and takes its address out of the home. `handOver`: see `StartedRunner.stop`. */
  close(handOver?: HandOver): Promise<void>;
}

export interface PreparedRunner {
  settings: Settings;
  /** Version of the schema of state.db that it writes. */
  storeVersion: number;
  /** Opens home and port. Rejects with SvcError; nothing is then left open. */
  open(options: OpenOptions): Promise<OpenedRunner>;
}

const toListenError = (error: unknown, settings: Settings): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const { host, port } = settings.server;
  if (code === 'EADDRINUSE') {
    return new SvcError(
      'conflict',
      `Port ${port} of ${host} is in use. Choose another one with --port, or any free one with --port 0.`,
      { cause: error },
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new SvcError(
      'bad-argument',
      `svc cannot listen on port ${port} of ${host} (${code}). Choose others with --port and --host.`,
      { cause: error },
    );
  }
  return error;
};

const openLog = (
  { flags, streams }: StartParts,
  { screen }: KnownSecrets,
): LevelledLog | Promise<LevelledLog> => {
  const { logFile } = flags;
  if (logFile !== undefined)
    return createFileLog(resolve(logFile), {
      screen,
      onLost: (error) => streams.err(`Warning: lines of the log are lost: ${error.message}\n`),
    });
  return streams.terminal
    ? createLog(2, 'warn', (line) => formatRunnerLogLine(screen(line)))
    : createLog(2, 'info', screen);
};

/** Reads the configuration and loads the runner's code; opens nothing. */
export async function prepareRunner(parts: StartParts): Promise<PreparedRunner> {
  const { flags, env, streams, loadMain } = parts;
  const sources = { env, homeDir: homedir(), flags, packageRoot: ownRoot };
  const movedConfig = await takeUpMovedConfig(resolveConfigPlace(sources), randomIds);
  if (movedConfig !== null) streams.err(`${movedConfig}\n`);
  const { settings, warnings, config, secrets } = await loadSettings(sources);
  for (const warning of warnings) streams.err(`Warning: ${warning}\n`);
  const { startRunner, storeVersion } = await loadMain();
  const knownSecrets = new KnownSecrets(secrets);
  const log = await openLog(parts, knownSecrets);
  const preset = log.level;
  const setLogLevel = (): void => {
    log.level = flags.logLevel ?? settings.runner.logLevel ?? preset;
  };
  setLogLevel();
  const { home } = settings;

  return {
    settings,
    storeVersion,
    async open({ process: ofProcess, port, confirmed, stateWait, adopted }) {
      if (port !== undefined && settings.server.port === 0) settings.server.port = port;
      const environment = readEnvironment(env);
      const runner = await startRunner(settings, {
        log,
        hostEnv: env,
        packageRoot: ownRoot,
        pid: process.pid,
        faults: environment.faults,
        commits: environment.commits,
        secrets: knownSecrets,
        config: { sources, started: config },
        onSettings: setLogLevel,
        inspect: flags.inspect,
        acceptLoss: flags.acceptLoss,
        process: ofProcess,
        ...(confirmed ? { confirmed } : {}),
        ...(stateWait ? { stateWait } : {}),
        ...(adopted ? { adopted } : {}),
      }).catch((error: unknown) => Promise.reject(toListenError(error, settings)));
      const note = flags.logFile === undefined ? () => {} : (text: string) => log.info(text);
      note(`svc ${settings.version} listens on ${runner.url}`);
      const close = async (handOver?: HandOver): Promise<void> => {
        await runner.stop(handOver);
        note('the runner has stopped');
        await removeRunnerInfo(home, process.pid);
      };
      try {
        await writeRunnerInfo(home, {
          url: runner.url,
          pid: process.pid,
          startedAt: new Date().toISOString(),
          program: await readOwnProgram(),
          home: await readHomeIdentity(home),
        });
      } catch (error) {
        await close();
        throw error;
      }
      return {
        url: runner.url,
        close,
        reload: () => runner.reload(),
        greet: () => printGreeting(parts, settings, runner),
      };
    },
  };
}

async function printGreeting(
  { flags, env, streams }: StartParts,
  settings: Settings,
  runner: { url: string; inspectUrl: string | null; loginUrl(): string },
): Promise<void> {
  const { version, home, server } = settings;
  const say = flags.json ? () => {} : streams.out;
  if (flags.json)
    streams.out(`${JSON.stringify({ url: runner.url, pid: process.pid, home, version })}\n`);
  say(`svc ${version} listening on ${runner.url} (home ${home})\n`);
  say(describeReach(server.host, runner.url, networkInterfaces()));
  // The runner already answers, so starting git delays no one.
  const { status, detail, fix } = await checkGit(env.PATH);
  if (status === 'error') streams.err(`Warning: ${detail}. ${fix ?? ''}\n`);
  const opened =
    shouldOpenBrowser(flags.open, readEnvironment(env).browser, process.platform) &&
    (await openBrowser(runner.loginUrl()));
  // The link logs in its first visitor: a terminal may show it, a service's log may not.
  if (!opened && streams.terminal) say(`Dashboard, once: ${runner.loginUrl()}\n`);
  if (runner.inspectUrl !== null) {
    const inspectText = streams.terminal
      ? runner.inspectUrl
      : 'its address is a secret and is only shown on a terminal';
    say(`Inspection, for createWebSocketReceiver({ server }): ${inspectText}\n`);
  }
  say(
    'In another terminal, svc job starts a job and svc jobs lists them. Press Ctrl-C to stop the runner.\n',
  );
}
