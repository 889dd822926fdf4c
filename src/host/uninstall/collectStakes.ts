import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { surveyTree } from '../../git/cleanup/tree.ts';
import { findRefsOnlyInMirror } from '../../git/cleanup/findRefsOnlyInMirror.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { Stake } from '../../contract/schema/runner/uninstall.ts';
import { collectWorkStakes, type StakeRequest } from './collectWorkStakes.ts';
import {
  type KnownRepository,
  listMirrorRepositories,
  type NamedRepository,
} from './knownRepositories.ts';

/** Folders of a home in which people keep files of their own, and what these are. */
const AUTHORED = [
  ['intelligence', 'workflows, agents and memory'],
  ['guardrails', 'guardrails'],
] as const;

/**
 * What would be lost with a home because it is nowhere else: jobs that have not ended, work in checkouts that
 * is in no branch of its repository, work that cleanup has saved in mirrors, and files of people. As the
 * forges were seen last; nothing is asked of them, and nothing is changed.
 */
export async function collectStakes(request: StakeRequest): Promise<Stake[]> {
  const { home, workingDir, local, jobs } = request;
  const mirrors = await listMirrorRepositories(join(home, 'mirrors'));
  const isInside = createInsideCheck(home);
  const work = (await isInside(workingDir))
    ? await collectWorkStakes({ ...request, repositories: [...local, ...mirrors] })
    : [];
  return [
    ...listJobStakes(join(home, 'state.db'), jobs),
    ...work,
    ...(await listMirrorStakes(mirrors)),
    ...(await listAuthoredStakes(home)),
    ...(await listRepositoryStakes(local, isInside)),
  ];
}

function listJobStakes(stateDb: string, jobs: StakeRequest['jobs']): Stake[] {
  if ('jobs' in jobs)
    return jobs.jobs.map(({ id, description }) => ({
      kind: 'job',
      jobId: id,
      path: stateDb,
      what: description,
    }));
  return [{ kind: 'unread', jobId: null, path: stateDb, what: jobs.problem }];
}

async function listMirrorStakes(mirrors: readonly KnownRepository[]): Promise<Stake[]> {
  const stakes: Stake[] = [];
  for (const { path, gitDir } of mirrors)
    try {
      for (const { ref, commit } of await findRefsOnlyInMirror(gitDir))
        stakes.push({ kind: 'saved', jobId: null, path, what: `${ref} (${commit.slice(0, 12)})` });
    } catch (error) {
      stakes.push({ kind: 'unread', jobId: null, path, what: toErrorMessage(error) });
    }
  return stakes;
}

async function listAuthoredStakes(home: string): Promise<Stake[]> {
  const stakes: Stake[] = [];
  for (const [name, what] of AUTHORED) {
    const path = join(home, name);
    if (!(await lstat(path).catch(() => null))?.isDirectory()) continue;
    const { bytes } = await surveyTree(path);
    if (bytes > 0) stakes.push({ kind: 'files', jobId: null, path, what });
  }
  return stakes;
}

async function listRepositoryStakes(
  local: readonly NamedRepository[],
  isInside: (path: string) => Promise<boolean>,
): Promise<Stake[]> {
  const stakes: Stake[] = [];
  for (const { slug, path } of local)
    if (existsSync(path) && (await isInside(path)))
      stakes.push({ kind: 'repository', jobId: null, path, what: slug });
  return stakes;
}

const createInsideCheck =
  (home: string) =>
  async (path: string): Promise<boolean> => {
    const real = await realpath(path).catch(() => null);
    return real?.startsWith(`${home}${sep}`) ?? false;
  };
