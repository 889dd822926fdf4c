import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '../../../src/api/client/client.ts';
import { type Env, readEnvironment } from '../../../src/host/config/home/env.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { readToken } from '../../../src/host/config/home/runnerToken.ts';
import { writePrivateFile } from '../../../src/base/system/files/writePrivateFile.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { createLog } from '../../../src/base/system/log/log.ts';
import { OWN_CLIENT } from '../../../src/base/http/ownHeaders.ts';
import type { StartedRunner } from '../../../src/main.ts';
import { loadRunner } from '../start/runnerModule.ts';
import { checkGit } from '../../doctor/git.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { formatRunnerLogLine } from '../../render/runner/formatRunnerLogLine.ts';

export interface RunnerHere {
  client: Client;
  /** Its own token and all secrets of its configuration and environment. */
  secrets: readonly string[];
  /** Interrupts sessions and closes the state; a second call does the same again. */
  stop: StartedRunner['stop'];
}

const root = findPackageRoot(import.meta.url);

/**
 * Starts a runner on a home of its own, on a free port of the loopback address. Its warnings go to
 * standard error. Rejects as `startRunner` does, and with SvcError `cannot-run` where git is missing.
 */
export async function startRunnerHere({
  home,
  config,
  env,
  homeDir,
  version,
}: {
  home: string;
  config: Record<string, unknown>;
  env: Env;
  homeDir: string;
  version: string;
}): Promise<RunnerHere> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writePrivateFile(join(home, 'config.json'), JSON.stringify(config, null, 2), 'draft');
  const hostEnv = { ...env, SVC_HOME: home, SVC_URL: undefined, SVC_TOKEN: undefined };
  const flags = { host: '127.0.0.1', port: 0 };
  const sources = { env: hostEnv, homeDir, flags, packageRoot: root };
  const { settings, warnings, config: startedConfig, secrets } = await loadSettings(sources);
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  const git = await checkGit(env.PATH);
  if (git.status === 'error') throw new SvcError('cannot-run', `${git.detail}. ${git.fix ?? ''}`);
  const knownSecrets = new KnownSecrets(secrets);
  const { startRunner } = await loadRunner();
  const environment = readEnvironment(hostEnv);
  const runner = await startRunner(settings, {
    log: createLog(2, 'warn', (line) => formatRunnerLogLine(knownSecrets.screen(line))),
    hostEnv,
    packageRoot: root,
    pid: process.pid,
    faults: environment.faults,
    commits: environment.commits,
    secrets: knownSecrets,
    config: { sources, started: startedConfig },
  });
  const token = await readToken(settings.paths.tokenFile);
  return {
    client: createClient({ baseUrl: runner.url, token, userAgent: `${OWN_CLIENT}${version}` }),
    secrets: token === null ? secrets : [...secrets, token],
    stop: () => runner.stop(),
  };
}
