import { findErrorCode } from '../../../base/errors/findErrorCode.ts';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';

/** Where the runner of a home listens, for the command line; `<home>/runner.json` while it runs. */
export interface RunnerInfo {
  /** Base URL without a slash at its end. */
  url: string;
  pid: number;
  /** ISO 8601. */
  startedAt: string;
  /** The program that it runs; an older runner does not say it. */
  program?: { root: string; version: string; build: string };
  /** The home that the runner serves; an older runner does not say it. */
  home?: HomeIdentity;
}

/** Which home a runner serves: a copy of it has another id. */
export interface HomeIdentity {
  path: string;
  /** Device and inode of the folder: the same under every name that it is mounted or moved to. */
  id: string;
}

/** The home as the file system knows it. Rejects where it does not exist. */
export async function readHomeIdentity(home: string): Promise<HomeIdentity> {
  const [path, { dev, ino }] = await Promise.all([realpath(home), stat(home, { bigint: true })]);
  return { path, id: `${dev}:${ino}` };
}

/**
 * The home of another runner that `info` came from, as it does in a copied home; null where it
 * belongs to this one.
 */
export async function findOtherHome(info: RunnerInfo, home: string): Promise<string | null> {
  if (info.home === undefined) return null;
  const here = await readHomeIdentity(home);
  return info.home.id === here.id ? null : info.home.path;
}

const readInfoHome = (info: object): HomeIdentity | undefined => {
  const { path, id } = Object('home' in info ? info.home : null);
  return typeof path === 'string' && typeof id === 'string' ? { path, id } : undefined;
};

const readInfoProgram = (info: object): RunnerInfo['program'] => {
  const { root, version, build } = Object('program' in info ? info.program : null);
  return [root, version, build].every((part) => typeof part === 'string')
    ? { root, version, build }
    : undefined;
};

const toRunnerInfoPath = (home: string): string => join(home, 'runner.json');

/** Writes the file whole, mode 0600. */
export async function writeRunnerInfo(home: string, info: RunnerInfo): Promise<void> {
  const draft = `${toRunnerInfoPath(home)}.${info.pid}`;
  await writeFile(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, toRunnerInfoPath(home));
}

/**
 * What the last runner of this home wrote; null where there is nothing usable. After a crash it may
 * name one that is gone. Throws SvcError `forbidden` where this user may not read it.
 */
export async function readRunnerInfo(home: string): Promise<RunnerInfo | null> {
  try {
    const info: unknown = JSON.parse(await readFile(toRunnerInfoPath(home), 'utf8'));
    if (
      typeof info !== 'object' ||
      info === null ||
      !('url' in info) ||
      !('pid' in info) ||
      !('startedAt' in info)
    )
      return null;
    const { url, pid, startedAt } = info;
    if (
      typeof url !== 'string' ||
      typeof pid !== 'number' ||
      typeof startedAt !== 'string' ||
      !URL.canParse(url)
    )
      return null;
    const identity = readInfoHome(info);
    const program = readInfoProgram(info);
    return {
      url,
      pid,
      startedAt,
      ...(program ? { program } : {}),
      ...(identity ? { home: identity } : {}),
    };
  } catch (cause) {
    if (findErrorCode(cause) === 'EACCES')
      throw new SvcError(
        'forbidden',
        `The home ${home} belongs to another user: ${toRunnerInfoPath(home)} cannot be read. Run svc as that user, or name your own home in SVC_HOME.`,
        { cause },
      );
    return null;
  }
}

/** Removes the file, if it is still that of process `pid`: another runner's must stay. */
export async function removeRunnerInfo(home: string, pid: number): Promise<void> {
  if ((await readRunnerInfo(home))?.pid === pid) await rm(toRunnerInfoPath(home), { force: true });
}
