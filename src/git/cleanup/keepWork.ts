import { toErrorMessage } from '../../base/errors/errors.ts';
import type { KeptWork } from '../../contract/schema/runner/gc.ts';
import { TRANSFER_TIMEOUT_MS } from '../checkout.ts';
import { runGit } from '../runGit.ts';
import { type LocalRef, listLocalRefs } from './listLocalRefs.ts';
import { takeSnapshot } from './takeSnapshot.ts';
import { explainUnsoundCheckout } from './explainUnsoundCheckout.ts';

export interface KeepRequest {
  jobId: string;
  checkoutDir: string;
  /** The repository that takes the work in, and its folder of git. */
  repository: { path: string; gitDir: string };
  /** Epoch ms: time of the new commits. The same files at the same time make the same commit. */
  at: number;
  /** True: nothing is written, the answer says what would be. */
  dryRun: boolean;
}

/**
 * What was saved (empty if the remote has everything), or why saving failed: then the checkout has
 * to stay.
 */
export type KeepResult = { kept: KeptWork[] } | { problem: string };

/**
 * Names contain the start of the commit: work that is saved later never replaces what was saved
 * before.
 */
const toKeptRefName = (jobId: string, { commit, name }: LocalRef): string =>
  `refs/svc/kept/${jobId.replace(/[^A-Za-z0-9-]/g, '-')}/${commit.slice(0, 12)}/${name}`;

async function isPublishedCommit(gitDir: string, commit: string): Promise<boolean> {
  const { stdout, exitCode } = await runGit(
    ['--git-dir', gitDir, 'rev-list', '--max-count=1', commit, '--not', '--branches', '--'],
    {
      answers: [128],
    },
  );
  return exitCode === 0 && stdout.trim() === '';
}

async function takeWorkIn(
  gitDir: string,
  from: string,
  refs: readonly LocalRef[],
  jobId: string,
): Promise<void> {
  if (refs.length === 0) return;
  await runGit(
    [
      '--git-dir',
      gitDir,
      '-c',
      'fetch.fsckObjects=true',
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-prune',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--',
      from,
      ...refs.map((ref) => `+${ref.source}:${toKeptRefName(jobId, ref)}`),
    ],
    { fileProtocol: true, timeoutMs: TRANSFER_TIMEOUT_MS },
  );
}

/** A silent git is not enough to remove a checkout: the refs must exist. */
async function assertKept(gitDir: string, refs: readonly LocalRef[], jobId: string): Promise<void> {
  for (const ref of refs) {
    const { stdout } = await runGit(
      ['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', toKeptRefName(jobId, ref)],
      {
        answers: [1],
      },
    );
    if (stdout.trim() !== ref.commit)
      throw new Error(`${toKeptRefName(jobId, ref)} is missing although it was just written`);
  }
}

/**
 * Saves what a checkout holds and its repository does not: every branch, tag, stash and HEAD whose
 * commits no branch of the repository has, and the uncommitted files that are not ignored. The
 * checkout stays as it is, and nothing that it configures is run. May be repeated: the same work
 * gets the same ref. Never rejects.
 */
export async function keepWork({
  jobId,
  checkoutDir,
  repository,
  at,
  dryRun,
}: KeepRequest): Promise<KeepResult> {
  const { gitDir, path } = repository;
  try {
    const why = await explainUnsoundCheckout(checkoutDir, gitDir);
    if (why !== null) return { problem: why };
    const { refs, head } = await listLocalRefs(checkoutDir);
    const mine: LocalRef[] = [];
    for (const ref of refs) if (!(await isPublishedCommit(gitDir, ref.commit))) mine.push(ref);
    await using snapshot = await takeSnapshot({
      checkoutDir,
      gitDir,
      head,
      at,
      message: `Uncommitted work of ${jobId}`,
    });
    const all = [...mine, ...snapshot.refs];
    if (!dryRun) {
      await takeWorkIn(gitDir, `${checkoutDir}/.git`, mine, jobId);
      await takeWorkIn(gitDir, snapshot.dir, snapshot.refs, jobId);
      await assertKept(gitDir, all, jobId);
    }
    return {
      kept: all.map((ref) => ({
        jobId,
        repository: path,
        ref: toKeptRefName(jobId, ref),
        commit: ref.commit,
        what: ref.what,
      })),
    };
  } catch (error) {
    return { problem: `git cannot save its work: ${toErrorMessage(error)}` };
  }
}
