import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopbackAddress } from '../../../src/base/http/isLoopbackAddress.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { createLog, type Log } from '../../../src/base/system/log/log.ts';
import { createFileLog } from '../../../src/base/system/log/logFile.ts';
import type { StartedNode } from '../../../src/cloud/startNode.ts';
import { type Env, readEnvironment } from '../../../src/host/config/home/env.ts';
import { resolveHomeFolder } from '../../../src/host/config/home/paths.ts';
import { toFailure } from '../../failure.ts';
import {
  CLOUD_START_HELP,
  type CloudStartFlags,
  parseCloudStartFlags,
} from '../../input/parseCloudStartFlags.ts';
import { formatRunnerLogLine } from '../../render/runner/formatRunnerLogLine.ts';
import { processStreams, type StartSignal, type StartStreams } from '../start/startStreams.ts';
import { type ControlPlaneModule, loadControlPlane } from './loadControlPlane.ts';

export interface CloudStartParts {
  /** Folder of svc's package.json. */
  root: string;
  argv: readonly string[];
  env: Env;
  homeDir: string;
  streams: StartStreams;
  load(root: string): Promise<ControlPlaneModule>;
}

/** Exit codes of a process that was ended by the signal. */
const FORCED: Partial<Record<StartSignal, number>> = { SIGINT: 130, SIGTERM: 143 };

/**
 * `svc cloud start`: runs until a signal and resolves with the exit code; prints errors, never throws.
 * `argv`: what follows `start`.
 */
export async function runCloudStart(
  root: string,
  argv: readonly string[],
  env: Env,
  homeDir: string,
): Promise<number> {
  const streams = processStreams();
  return serveControlPlane({ root, argv, env, homeDir, streams, load: loadControlPlane });
}

export async function serveControlPlane(parts: CloudStartParts): Promise<number> {
  const { argv, env, streams } = parts;
  try {
    const flags = parseCloudStartFlags(argv, env.DATABASE_URL);
    if (flags.help) {
      streams.out(CLOUD_START_HELP);
      return 0;
    }
    return await serveUntilSignal(parts, flags);
  } catch (error) {
    const failure = toFailure(error);
    if (argv.includes('--json')) streams.out(`${JSON.stringify({ error: failure.problem })}\n`);
    else streams.err(failure.text);
    return failure.exitCode;
  }
}

async function serveUntilSignal(parts: CloudStartParts, flags: CloudStartFlags): Promise<number> {
  const { root, env, homeDir, streams, load } = parts;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const secrets = new KnownSecrets(flags.database === null ? [] : [flags.database]);
  const log = await openLog(flags, streams, secrets);
  warnOfFlags(flags, streams);
  const { startNode } = await load(root);
  const {
    host,
    port,
    publicUrl,
    nodeUrl,
    trustedProxies,
    database,
    takeoverMs,
    keptJobsDays,
    requestLimit,
  } = flags;
  // Before it is open: a signal during a start must not leave PostgreSQL behind.
  const stop = listenForStop(streams);
  try {
    const starting = startNode({
      host,
      port,
      publicUrl,
      nodeUrl,
      trustedProxies,
      ...(takeoverMs === null ? {} : { takeover: { windowMs: takeoverMs } }),
      ...(keptJobsDays === null ? {} : { keptJobsDays }),
      ...(requestLimit === null ? {} : { requestLimit }),
      version,
      log,
      secrets,
      cloudKey: env.SVC_CLOUD_KEY || null,
      otherCloudKey: env.SVC_CLOUD_OTHER_KEY || null,
      metricsToken: env.SVC_CLOUD_METRICS_TOKEN || null,
      dashboard: findDashboard(root),
      baseIntelligence: join(root, 'intelligence'),
      database: database ?? {
        home: resolveHomeFolder(readEnvironment(env).home, homeDir),
        path: env.PATH ?? '',
        isRoot: process.getuid?.() === 0,
        install: (folder) => installWhereWanted(folder, parts, flags),
      },
    });
    const node = await Promise.race([starting, stop.forced]);
    if (typeof node === 'number') return node;
    return await Promise.race([
      serveUntilStop(node, stop.stopRequest, parts, { flags, version }),
      stop.forced,
    ]);
  } finally {
    stop.end();
  }
}

function openLog(
  { logFile }: CloudStartFlags,
  { terminal, err }: StartStreams,
  { screen }: KnownSecrets,
): Log | Promise<Log> {
  if (logFile !== null)
    return createFileLog(resolve(logFile), {
      screen,
      onLost: (error) => err(`Warning: lines of the log are lost: ${error.message}\n`),
    });
  return terminal
    ? createLog(2, 'warn', (line) => formatRunnerLogLine(screen(line)))
    : createLog(2, 'info', screen);
}

/** Resolves with the exit code when the node has stopped. */
async function serveUntilStop(
  node: StartedNode,
  stopRequest: Promise<void>,
  { streams }: CloudStartParts,
  { flags, version }: { flags: CloudStartFlags; version: string },
): Promise<number> {
  try {
    const ownerLink = flags.showsOwnerLink ? await node.createOwnerLink() : null;
    greet({ ...node, ownerLink }, version, flags, streams);
    await stopRequest;
  } finally {
    await node.stop();
  }
  return 0;
}

/** The built dashboard of this program; null = it was built without one. */
function findDashboard(root: string): string | null {
  const folder = join(root, 'dist', 'ui');
  return existsSync(folder) ? folder : null;
}

/** Loaded only here: nearly every machine has a database, or PostgreSQL. */
async function installWhereWanted(
  folder: string,
  { env, homeDir, streams }: CloudStartParts,
  { installPostgres: isWanted, json }: CloudStartFlags,
): Promise<string | null> {
  const { installPostgres } = await import('./installPostgres.ts');
  const { createProcessIo } = await import('../../io.ts');
  return installPostgres(folder, {
    env,
    isWanted,
    platform: `${process.platform}-${process.arch}`,
    ask: json ? null : createProcessIo(process, homeDir).ask,
    tell: streams.err,
  });
}

/** `asked` resolves at the first signal, `forcedExit` at the second, with the exit code. */
function listenForStop(streams: StartStreams) {
  let count = 0;
  let ask: () => void = () => undefined;
  let force: (code: number) => void = () => undefined;
  const stopRequest = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const forcedExit = new Promise<number>((resolve) => {
    force = resolve;
  });
  const end = streams.onStop((signal) => {
    if (signal === 'SIGHUP') return;
    count += 1;
    if (count > 1) return force(FORCED[signal] ?? 1);
    streams.err('Stopping. Running requests may finish. Press Ctrl-C again to stop immediately.\n');
    ask();
  });
  return { stopRequest, forced: forcedExit, end };
}

function warnOfFlags(
  { database, isDatabaseArgument, publicUrl, trustedProxies }: CloudStartFlags,
  streams: StartStreams,
): void {
  if (isDatabaseArgument && URL.canParse(database ?? '') && new URL(database ?? '').password !== '')
    streams.err(
      'Warning: other users of this machine can read the password in --database. Put the URL into DATABASE_URL instead.\n',
    );
  if (publicUrl === null) return;
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && hostname !== 'localhost' && !isLoopbackAddress(hostname))
    streams.err(
      `Warning: ${publicUrl} is not encrypted, and svc login refuses it. Put a proxy with TLS in front and use its https address as --public-url.\n`,
    );
  if (protocol === 'https:' && trustedProxies === null)
    streams.err(
      `Warning: ${publicUrl} is served by a proxy, and --trust-proxy does not name it. Everyone then has the address of the proxy, so the wrong logins of one person stop the logins of all.\n`,
    );
}

function greet(
  { url, publicUrl, nodeId, localPostgres, ownerLink }: StartedNode & { ownerLink: string | null },
  version: string,
  { json }: CloudStartFlags,
  streams: StartStreams,
): void {
  const database = localPostgres === null ? 'given' : `PostgreSQL ${localPostgres}`;
  if (json) {
    const line = { url, publicUrl, pid: process.pid, node: nodeId, version, database, ownerLink };
    streams.out(`${JSON.stringify(line)}\n`);
    return;
  }
  streams.out(`svc ${version} control plane listening on ${url}, for ${publicUrl}\n`);
  if (localPostgres !== null)
    streams.out(
      `Database: PostgreSQL ${localPostgres} of this machine, started by svc, for trying out. For a team, give it one of your own with DATABASE_URL.\n`,
    );
  if (ownerLink !== null)
    streams.out(
      `No one has an account yet. The first owner sets up the team here; the link works once, within a day:\n  ${ownerLink}\n`,
    );
  streams.out(
    `In another terminal: svc login --cloud-url ${publicUrl}. Press Ctrl-C to stop the control plane.\n`,
  );
}
