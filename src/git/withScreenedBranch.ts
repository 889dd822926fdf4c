import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';
import { randomIds } from '../base/system/ids/ids.ts';
import { takeBranch } from './checkout.ts';
import {
  type FoundSecrets,
  findSecrets,
  type SearchLimits,
  type TokenPlace,
} from './findSecrets.ts';
import { runGit } from './runGit.ts';
import { explainGitProblem } from './explainGitProblem.ts';
import type { SearchedValues } from './objectSearch.ts';
import { openRepository } from './openRepository.ts';
import { copyShallow } from './shallow.ts';
import { refuseUnfilteredFiles } from './refuseUnfilteredFiles.ts';

const SCREEN_TIMEOUT_MS = 120_000;
const MAX_NAMED = 5;

interface BranchRequest extends SearchedValues {
  checkoutDir: string;
  branch: string;
  repoPath: string;
  screen(text: string): string;
  limits?: SearchLimits;
  /** Default {@link SCREEN_TIMEOUT_MS}. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Takes a branch of a checkout into a temporary repository, searches its new commits for known
 * secrets, and passes that repository on instead of the checkout, so that exactly what was searched
 * goes out. Texts that look like tokens are passed along: a rule decides about them. Throws
 * SvcError `forbidden` that names commit and file of a secret but never its value, `conflict` for
 * files that a filter should have written, `too-large` where there is too much to search,
 * `bad-argument` for a branch that the checkout does not have.
 */
export async function withScreenedBranch<T>(
  request: BranchRequest,
  use: (checkoutDir: string, tokens: readonly TokenPlace[]) => Promise<T>,
): Promise<T> {
  const { checkoutDir, branch, repoPath } = request;
  const dir = await mkdtemp(join(tmpdir(), 'svc-branch-'));
  try {
    // Git does not fetch into a branch that is checked out.
    await runGit([
      'init',
      '--quiet',
      '--template=',
      `--initial-branch=svc-${randomIds.next()}`,
      dir,
    ]);
    const gitDir = join(dir, '.git');
    const source = openRepository(repoPath);
    await writeFile(
      join(gitDir, 'objects', 'info', 'alternates'),
      `${join(source.gitDir, 'objects')}\n`,
    );
    await copyShallow([source.gitDir], gitDir);
    const heads = (
      await runGit([
        '--git-dir',
        source.gitDir,
        'for-each-ref',
        '--format=%(objectname)',
        'refs/heads',
      ])
    ).stdout;
    const knownHeads = heads.split('\n').filter((oid) => oid !== '');
    // The forge's own objects are not sent again.
    await writeFile(
      join(gitDir, 'packed-refs'),
      knownHeads.map((oid, n) => `${oid} refs/svc/known/${n}\n`).join(''),
    );
    // Objects are checked where they stay: here git would also check those of the forge, such as an
    // old .gitmodules.
    const snapshotRequest = {
      checkoutDir,
      gitDir,
      branch,
      as: `refs/heads/${branch}`,
      force: false,
      refusesMalformed: false,
    };
    const { exitCode, stderr } = await takeBranch(snapshotRequest);
    if (exitCode !== 0)
      throw (
        explainGitProblem('git fetch', stderr) ??
        new SvcError(
          'internal',
          `Branch ${branch} could not be read from the checkout: ${stderr.trim()}`,
        )
      );
    const { secrets, tokens } = await searchInTime(request, gitDir, knownHeads);
    if (secrets.length > 0)
      throw createSecretBranchError(request.screen(branch), secrets.map(request.screen));
    await refuseUnfilteredFiles(gitDir, branch, checkoutDir);
    return await use(
      dir,
      tokens.map(({ kind, place }) => ({ kind, place: request.screen(place) })),
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** A search that takes too long is refused for good: another attempt would take as long. */
async function searchInTime(
  request: BranchRequest,
  gitDir: string,
  knownHeads: readonly string[],
): Promise<FoundSecrets> {
  const { stream, findTokens, branch, limits, timeoutMs = SCREEN_TIMEOUT_MS, signal } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await findSecrets({
      gitDir,
      branch,
      known: knownHeads,
      stream,
      findTokens,
      // The search's own deadline comes first.
      timeoutMs: 2 * timeoutMs,
      ...(limits ? { limits } : {}),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
  } catch (error) {
    if (!deadline.aborted || signal?.aborted) throw error;
    throw new SvcError(
      'too-large',
      `The search for secrets in the new commits of ${request.screen(branch)} took longer than ${timeoutMs / 1000} s. Split the branch, leave large files out, or ask a person to push it.`,
      { cause: error },
    );
  }
}

function createSecretBranchError(branch: string, places: readonly string[]): SvcError {
  const placeList = places.slice(0, MAX_NAMED).join('; ');
  const more = places.length > MAX_NAMED ? `; and ${places.length - MAX_NAMED} more` : '';
  return new SvcError(
    'forbidden',
    `The branch ${branch} was refused: it contains a value that svc keeps secret (${placeList}${more}). Remove it, rewrite the commit ` +
      '(`git commit --amend`, for an older one `git rebase`), and call create_pr again. A later commit that removes it does not help: the value would stay in the history.',
    { data: { places: `${placeList}${more}` } },
  );
}
