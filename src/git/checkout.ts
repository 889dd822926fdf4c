import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';
import { FETCH_CHECKS } from './fetchChecks.ts';
import { refuseExcludedBranch } from './refuseExcludedBranch.ts';
import { type GitRun, runGit } from './runGit.ts';
import { explainGitProblem } from './explainGitProblem.ts';
import { checkBranch, checkSlug } from './gitNames.ts';
import { refusePartial } from './partialClone.ts';
import { findBranch, findRef, openRepository, type Repository } from './openRepository.ts';
import { isWorkNewer, readWorkCommit, type WorkCommit } from './work/readWorkCommit.ts';
import { restoreWork } from './work/restoreWork.ts';

export const TRANSFER_TIMEOUT_MS = 30 * 60_000;

const BASE_REF = 'refs/svc/base';

export interface Checkout {
  /** Name of the folder inside the job's folder. */
  dir: string;
  absDir: string;
  /** The commit of the base branch that the checkout was made from. */
  baseCommit: string;
  /** The pushed branch with which a clone of a job that worked elsewhere begins; left out = the base. */
  continuedBranch?: string;
  /** True = such a clone begins with the work in progress that was saved. */
  continuesWork?: boolean;
}

export interface CheckoutRequest {
  repoPath: string;
  /** Absolute; made when it is missing. */
  jobDir: string;
  slug: string;
  baseBranch: string;
  /**
   * Branches with earlier work, newest first: a new clone begins with the first one that the
   * repository has. Default: none.
   */
  branches?: readonly string[];
  /** Full name of the ref of `repoPath` with the saved work of the job; null, the default = none. */
  workRef?: string | null;
  /** Completes a new clone, before it is anybody's checkout. After a crash it begins again with another clone. */
  fill?(cloneDir: string): Promise<void>;
}

/** Folder of a repository's checkout inside the job's folder. */
export const toCheckoutDir = (slug: string): string => checkSlug(slug).replaceAll('/', '__');

const underWay = new Map<string, Promise<Checkout>>();

/**
 * Makes sure that the job has a checkout of its own with the base branch checked out: a full clone
 * that shares no file with the forge's repository, without hooks and submodules. A complete one
 * stays as it is; one that a crash left incomplete is created again. Throws `not-found` when the
 * base branch does not exist, `conflict` when something else is at its path.
 */
export function ensureCheckout(request: CheckoutRequest): Promise<Checkout> {
  const absDir = join(request.jobDir, toCheckoutDir(request.slug));
  const pending = underWay.get(absDir);
  if (pending) return pending;
  const making = makeCheckout(request, absDir).finally(() => underWay.delete(absDir));
  underWay.set(absDir, making);
  return making;
}

async function makeCheckout(
  { repoPath, jobDir, slug, baseBranch, branches = [], workRef = null, fill }: CheckoutRequest,
  absDir: string,
): Promise<Checkout> {
  const repository = openRepository(repoPath);
  const head = await findBranch(repository, baseBranch, 'baseBranch');
  const dir = toCheckoutDir(slug);
  if (existsSync(join(absDir, '.git'))) {
    const baseCommit = (await findRef(openRepository(absDir), BASE_REF)) ?? head;
    if (baseCommit === undefined) throw createNoBranchError(repoPath, baseBranch);
    return { dir, absDir, baseCommit };
  }
  if (head === undefined) throw createNoBranchError(repoPath, baseBranch);
  if (existsSync(absDir)) {
    throw new SvcError(
      'conflict',
      `${absDir} is in the way of the checkout of ${slug}: it is not a git repository. Move it.`,
    );
  }
  await mkdir(jobDir, { recursive: true, mode: 0o700 });
  await removeHalfMade(jobDir, dir);
  const pushedBranch = await findFirstBranch(repository, branches);
  const work = workRef === null ? null : await findNewerWork(repository, workRef, pushedBranch);
  const continuedBranch = work === null ? pushedBranch : null;
  // A unique name: the git of a killed runner lives on, and would write into our clone or remove it
  // when it fails.
  const halfMade = await mkdtemp(join(jobDir, toHalfMadeName(dir)));
  // --no-local: git sends only the objects of the branches, as new packs; with hard links an agent
  // could damage our objects.
  await runGit(
    [
      'clone',
      '--quiet',
      '--no-local',
      '--no-recurse-submodules',
      '--template=',
      '--origin=origin',
      `--branch=${continuedBranch ?? baseBranch}`,
      '--config=user.name=svc agent',
      '--config=user.email=agent@svc.invalid',
      '--config=push.default=current',
      '--',
      repoPath,
      halfMade,
    ],
    { fileProtocol: true, timeoutMs: TRANSFER_TIMEOUT_MS },
  );
  const clone = openRepository(halfMade);
  if (work !== null && workRef !== null)
    await restoreWork({
      checkoutDir: halfMade,
      repoPath,
      ref: workRef,
      work,
      timeoutMs: TRANSFER_TIMEOUT_MS,
    });
  const isAtBase = continuedBranch === null && work === null;
  const base = isAtBase ? 'HEAD' : `refs/remotes/origin/${baseBranch}`;
  const baseCommit = await findRef(clone, base);
  if (baseCommit === undefined) throw createNoBranchError(repoPath, baseBranch);
  await runGit(['--git-dir', join(halfMade, '.git'), 'update-ref', BASE_REF, baseCommit]);
  await fill?.(halfMade);
  await rename(halfMade, absDir);
  return {
    dir,
    absDir,
    baseCommit,
    ...(continuedBranch === null ? {} : { continuedBranch }),
    ...(work === null ? {} : { continuesWork: true }),
  };
}

/** Null where a pushed branch is newer, and for a ref that svc has not made. */
async function findNewerWork(
  repository: Repository,
  workRef: string,
  branch: string | null,
): Promise<WorkCommit | null> {
  const work = await readWorkCommit(repository, workRef);
  const tip = branch === null ? undefined : await findBranch(repository, branch);
  if (work === null || tip === undefined) return work;
  return (await isWorkNewer(repository, work, tip)) ? work : null;
}

async function findFirstBranch(
  repository: Repository,
  branches: readonly string[],
): Promise<string | null> {
  for (const branch of branches)
    if ((await findBranch(repository, branch)) !== undefined) return branch;
  return null;
}

const toHalfMadeName = (dir: string): string => `.${dir}.cloning`;

/** Files that a running git holds may remain: they block nothing. */
async function removeHalfMade(jobDir: string, dir: string): Promise<void> {
  const halfMade = (await readdir(jobDir)).filter((name) => name.startsWith(toHalfMadeName(dir)));
  await Promise.all(
    halfMade.map((name) =>
      rm(join(jobDir, name), { recursive: true, force: true }).catch(() => undefined),
    ),
  );
}

const createNoBranchError = (repoPath: string, branch: string): SvcError =>
  new SvcError(
    'not-found',
    `${repoPath} has no branch ${branch}. Create its first commit, or set another defaultBranch in config.json.`,
  );

interface TakeRequest {
  checkoutDir: string;
  gitDir: string;
  branch: string;
  /** Full name of the ref in that repository. */
  as: string;
  /** Whether commits of that ref may be lost. */
  force: boolean;
  /** Whether objects that git takes for malformed are refused; default true. */
  refusesMalformed?: boolean;
}

/**
 * Fetches a branch of a checkout. Throws `bad-argument` for a branch that the checkout does not
 * have, and for a partial clone; other failures of git are answered.
 */
export async function takeBranch({
  checkoutDir,
  gitDir,
  branch,
  as,
  force,
  refusesMalformed = true,
}: TakeRequest): Promise<GitRun> {
  checkBranch(branch);
  if (!existsSync(join(checkoutDir, '.git'))) {
    throw new SvcError(
      'bad-argument',
      `checkoutDir ${checkoutDir} is not a checkout: clone the repository first.`,
    );
  }
  if ((await findBranch(openRepository(checkoutDir), branch)) === undefined) {
    throw new SvcError(
      'bad-argument',
      `branch ${branch} does not exist in ${checkoutDir}: create it with \`git switch -c ${branch}\` and commit to it.`,
    );
  }
  await refusePartial(checkoutDir);
  return runGit(
    [
      '--git-dir',
      gitDir,
      ...(refusesMalformed ? FETCH_CHECKS : ['-c', 'fetch.fsckObjects=false']),
      'fetch',
      '--no-tags',
      '--no-prune',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--',
      checkoutDir,
      `${force ? '+' : ''}refs/heads/${branch}:${as}`,
    ],
    { fileProtocol: true, timeoutMs: TRANSFER_TIMEOUT_MS, answers: [1, 128] },
  );
}

export interface PushRequest {
  checkoutDir: string;
  repoPath: string;
  branch: string;
}

/**
 * Brings a branch of a checkout into the forge's repository; never by force. It is fetched from
 * there, because git promises that serving a fetch runs nothing that the checkout's configuration
 * names; a push would. Throws `bad-argument` for a branch that the checkout does not have,
 * `conflict` when the forge's branch has other commits or is checked out there.
 */
export async function pushBranch({ checkoutDir, repoPath, branch }: PushRequest): Promise<void> {
  const { gitDir } = openRepository(repoPath);
  checkBranch(branch);
  await refuseExcludedBranch(gitDir, branch);
  const { exitCode, stderr } = await takeBranch({
    checkoutDir,
    gitDir,
    branch,
    as: `refs/heads/${branch}`,
    force: false,
  });
  if (exitCode === 0) return;
  if (/non-fast-forward/.test(stderr)) {
    throw new SvcError(
      'conflict',
      `Branch ${branch} on the forge has commits that the checkout does not have. Pull them with \`git pull --rebase origin ${branch}\` and try again.`,
    );
  }
  if (/checked out at/.test(stderr)) {
    throw new SvcError(
      'conflict',
      `Branch ${branch} is checked out in ${repoPath}: use another branch name, or check out another branch there.`,
    );
  }
  throw (
    explainGitProblem('git fetch', stderr) ??
    new SvcError(
      'internal',
      `Branch ${branch} could not be brought into ${repoPath}: ${stderr.trim()}`,
    )
  );
}
