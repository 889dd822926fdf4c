import { createClient } from '../../src/api/client/client.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { readRunnerInfo } from '../../src/host/config/home/runnerInfo.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { OWN_CLIENT } from '../../src/base/http/ownHeaders.ts';
import type { Health } from '../../src/contract/schema/api/replies.ts';
import type { CloudStatus } from '../../src/contract/schema/runner/cloudStatus.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { noticeQuietRunner } from './noticeQuietRunner.ts';
import { resolveConnection } from './resolveConnection.ts';

export interface HomeRunner {
  url: string;
  pid: number;
  /** ISO 8601. */
  startedAt: string;
  version: string;
  mode: Health['mode'];
  /** The connection to its control plane; left out in local mode. */
  cloud?: CloudStatus;
  /** Name of its build; null = it does not say. */
  build: string | null;
}

/**
 * The runner of this home, whatever SVC_URL names; null where none answers, as after a crash, or
 * where the home is a copy of the one that it serves. `version`: that of this program.
 */
export async function findHomeRunner(io: Io, version: string): Promise<HomeRunner | null> {
  const { homeDir } = io;
  const env = { ...io.env, SVC_URL: undefined, SVC_TOKEN: undefined };
  const { home } = resolveConfigPlace({
    env,
    homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  });
  try {
    const connection = await resolveConnection({ env, homeDir, url: undefined });
    const info = await readRunnerInfo(home);
    const health = await createClient({
      ...connection,
      userAgent: `${OWN_CLIENT}${version}`,
      fetch: noticeQuietRunner(io),
    }).health();
    if (info === null) return null;
    const { url, pid, startedAt, program } = info;
    const { version: release, mode, cloud } = health;
    return {
      url,
      pid,
      startedAt,
      version: release,
      mode,
      ...(cloud ? { cloud } : {}),
      build: program?.build ?? null,
    };
  } catch (error) {
    if (error instanceof SvcError && error.code === 'unreachable') return null;
    throw error;
  }
}
