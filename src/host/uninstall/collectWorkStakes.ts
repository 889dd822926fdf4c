import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toCheckoutDir } from '../../git/checkout.ts';
import { readPlainFile } from '../../base/system/files/readPlainFile.ts';
import type { Stake } from '../../contract/schema/runner/uninstall.ts';
import { JobFolder } from '../../jobs/workspace/cleanup/jobFolder.ts';
import {
  openReadableRepositories,
  type KnownRepository,
  type NamedRepository,
} from './knownRepositories.ts';

export interface StakeRequest {
  /** Without links. */
  home: string;
  workingDir: string;
  local: readonly NamedRepository[];
  jobs: { jobs: { id: string; description: string }[] } | { problem: string };
  /** Makes unique suffixes of names. */
  createName(): string;
  /** Called before each folder of a job is checked. */
  onFolder?(n: number, of: number): void;
}

/** Largest git configuration of a checkout that is read, bytes. */
const MAX_GIT_CONFIG_BYTES = 1_048_576;
/** Time of the commits by which files are compared, epoch ms; git refuses the first day of 1970. */
const COMMITTED_AT = 1_000_000_000_000;
/** What a cleanup that was killed has set aside: `.gc-<name>.<id>`. */
const ASIDE = /^\.gc-(.+)\.[0-9a-z]{16}$/;

/** What cleanup would have to save before it could remove the folders of jobs, and what it could not. */
export async function collectWorkStakes({
  workingDir,
  repositories,
  createName: nextName,
  onFolder,
}: Pick<StakeRequest, 'workingDir' | 'createName' | 'onFolder'> & {
  repositories: readonly NamedRepository[];
}): Promise<Stake[]> {
  const readableRepositories = openReadableRepositories(repositories);
  const names = (await readdir(workingDir).catch(() => [])).sort();
  const stakes: Stake[] = [];
  for (const [index, name] of names.entries()) {
    const path = join(workingDir, name);
    onFolder?.(index + 1, names.length);
    if (!(await lstat(path).catch(() => null))?.isDirectory()) {
      stakes.push({ kind: 'unclear', jobId: null, path, what: 'svc did not create it' });
      continue;
    }
    const { slug, repository } = await findCheckoutRepository(path, readableRepositories);
    // No more than a look: nothing is saved, renamed or removed.
    const folder = new JobFolder(
      path,
      { id: name, endedAt: COMMITTED_AT, slug, repository },
      { dryRun: true, hasEnded: () => true, createName: nextName },
    );
    const { kept, left } = await folder.clear();
    for (const { what, commit } of kept)
      stakes.push({ kind: 'work', jobId: name, path, what: `${what} (${commit.slice(0, 12)})` });
    for (const one of left)
      stakes.push({ kind: 'unclear', jobId: name, path: one.path, what: one.reason });
  }
  return stakes;
}

/** Which repository the checkout in a job's folder is of. */
async function findCheckoutRepository(
  jobDir: string,
  knownRepositories: readonly KnownRepository[],
): Promise<{ slug: string | null; repository: KnownRepository | null }> {
  const names = (await readdir(jobDir)).map((name) => ASIDE.exec(name)?.[1] ?? name);
  for (const name of names) {
    const [first, ...more] = knownRepositories.filter(({ slug }) => isCheckoutFolder(name, slug));
    if (first === undefined) continue;
    // Where two forges have one with this name, the checkout says which.
    const config = join(jobDir, name, '.git', 'config');
    const text = more.length > 0 ? await readPlainFile(config, MAX_GIT_CONFIG_BYTES) : null;
    const repository = more.find(({ path }) => text?.includes(path)) ?? first;
    return { slug: parseCheckoutSlug(name) ?? first.slug, repository };
  }
  for (const name of names)
    if (await lstat(join(jobDir, name, '.git')).catch(() => null))
      return { slug: parseCheckoutSlug(name), repository: null };
  return { slug: null, repository: null };
}

/** The mirrors of a forge are in lower case, whatever jobs call their repository. */
const isCheckoutFolder = (name: string, slug: string): boolean =>
  toCheckoutDir(slug).toLowerCase() === name.toLowerCase();

/** A slug whose checkout has this name; null = no repository can have one. */
function parseCheckoutSlug(name: string): string | null {
  try {
    const slug = name.replaceAll('__', '/');
    return toCheckoutDir(slug) === name ? slug : null;
  } catch {
    return null;
  }
}
