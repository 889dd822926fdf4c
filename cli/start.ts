import { homedir, networkInterfaces } from 'node:os';
import { type Env, readEnvironment } from '../src/config/env.ts';
import { loadSettings } from '../src/config/loadSettings.ts';
import { homeIdentity, removeRunnerInfo, writeRunnerInfo } from '../src/config/runnerInfo.ts';
import { SvcError } from '../src/lib/errors.ts';
import { KnownSecrets } from '../src/lib/knownSecrets.ts';
import { createLog } from '../src/lib/log.ts';
import type { StartedRunner } from '../src/main.ts';
import type { Settings } from '../src/schema/settings.ts';
import { openBrowser, opensBrowser } from './connect/browser.ts';
import { loadRunner, type RunnerModule } from './connect/runnerModule.ts';
import { checkGit } from './doctor/git.ts';
import { failureOf } from './failure.ts';
import { packageRoot } from './packageRoot.ts';
import { logLine } from './render/logLine.ts';
import { reachText } from './render/reachText.ts';
import { START_HELP, startFlags } from './input/startFlags.ts';

export interface StartStreams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person sees `out`. */
  terminal: boolean;
  /** Calls `run` at each SIGINT and SIGTERM. The returned function takes it back. */
  onStop(run: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
}

const root = packageRoot(import.meta.url);

/** Exit codes of a process that was ended by the signal. */
const FORCED = { SIGINT: 130, SIGTERM: 143 } as const;

/** Ends with 0 once the runner has stopped, or at the second signal with the signal's code. */
function untilStopped(runner: StartedRunner, streams: StartStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const takeBack = streams.onStop((signal) => {
      if (stopping) return resolve(FORCED[signal]);
      stopping = true;
      streams.err(
        'Stopping. Jobs are kept, and the next start continues them. Press Ctrl-C again to stop immediately.\n',
      );
      runner
        .stop()
        .then(() => resolve(0), reject)
        .finally(takeBack);
    });
  });
}

const explained = (error: unknown, settings: Settings): unknown => {
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

async function serve(
  argv: readonly string[],
  env: Env,
  streams: StartStreams,
  loadMain: () => Promise<RunnerModule>,
): Promise<number> {
  const flags = startFlags(argv);
  if (flags.help) {
    streams.out(START_HELP);
    return 0;
  }
  const sources = { env, homeDir: homedir(), flags, packageRoot: root };
  const { settings, warnings, config, secrets } = await loadSettings(sources);
  for (const warning of warnings) streams.err(`Warning: ${warning}\n`);
  const git = checkGit(env.PATH);
  const { startRunner } = await loadMain();
  const known = new KnownSecrets(secrets);
  const log = streams.terminal
    ? createLog(2, 'warn', (line) => logLine(known.screen(line)))
    : createLog(2, 'info', known.screen);
  const environment = readEnvironment(env);
  const options = {
    log,
    hostEnv: env,
    packageRoot: root,
    pid: process.pid,
    faults: environment.faults,
    secrets: known,
    config: { sources, started: config },
    inspect: flags.inspect,
  };
  const runner = await startRunner(settings, options).catch((error: unknown) =>
    Promise.reject(explained(error, settings)),
  );
  const { home } = settings;
  try {
    const stopped = untilStopped(runner, streams);
    await writeRunnerInfo(home, {
      url: runner.url,
      pid: process.pid,
      startedAt: new Date().toISOString(),
      home: await homeIdentity(home),
    });
    const { version } = settings;
    const say = flags.json ? () => {} : streams.out;
    if (flags.json)
      streams.out(`${JSON.stringify({ url: runner.url, pid: process.pid, home, version })}\n`);
    say(`svc ${version} listening on ${runner.url} (home ${home})\n`);
    say(reachText(settings.server.host, runner.url, networkInterfaces()));
    const { status, detail, fix } = await git;
    if (status === 'error') streams.err(`Warning: ${detail}. ${fix ?? ''}\n`);
    const opened =
      opensBrowser(flags.open, environment.browser, process.platform) &&
      (await openBrowser(runner.loginUrl()));
    // The link lets its first user in: a terminal may show it, a service's log may not.
    if (!opened && streams.terminal) say(`Dashboard, once: ${runner.loginUrl()}\n`);
    if (runner.inspectUrl !== null) {
      const shown = streams.terminal
        ? runner.inspectUrl
        : 'its address is a secret and is only shown on a terminal';
      say(`Inspection, for createWebSocketReceiver({ server }): ${shown}\n`);
    }
    say(
      'In another terminal, svc job starts a job and svc jobs lists them. Press Ctrl-C to stop the runner.\n',
    );
    return await stopped;
  } catch (error) {
    await runner.stop();
    throw error;
  } finally {
    await removeRunnerInfo(home, process.pid);
  }
}

/**
 * `svc start`: runs until a signal and resolves with the exit code; errors are printed on `err`,
 * never thrown. `argv` holds what follows `start`. `loadMain` gives the runner's module; default:
 * the built one, or the source when run from it.
 */
export async function runStart(
  argv: readonly string[],
  env: Env,
  streams: StartStreams,
  loadMain = loadRunner,
): Promise<number> {
  try {
    return await serve(argv, env, streams, loadMain);
  } catch (error) {
    const failure = failureOf(error);
    if (argv.includes('--json')) streams.out(`${JSON.stringify({ error: failure.problem })}\n`);
    else streams.err(failure.text);
    return failure.exitCode;
  }
}

/** The streams and signals of this process. A closed output stream does not end the runner. */
export function processStreams(): StartStreams {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY === true,
    onStop(run) {
      process.on('SIGINT', run);
      process.on('SIGTERM', run);
      return () => void process.off('SIGINT', run).off('SIGTERM', run);
    },
  };
}
