import { isMissingFile } from '../../src/base/errors/findErrorCode.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toErrorMessage } from '../../src/base/errors/errors.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { GIT_NEEDED, isSafeGit } from '../../src/git/gitVersion.ts';
import { ANSWER_MS, type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

export function diagnoseGit(versionText: string): Finding {
  const isSafe = isSafeGit(versionText);
  if (isSafe === null)
    return toErrorFinding(
      `git answered ${JSON.stringify(versionText.slice(0, 80))}`,
      'Put the real git on the PATH.',
    );
  return isSafe
    ? toOkFinding(versionText)
    : toErrorFinding(
        `${versionText}: with this version, a checkout can run programs while svc fetches from it`,
        `Install ${GIT_NEEDED}.`,
      );
}

/** svc's git ignores the configuration of machine and person, so it is not checked. */
export async function checkGit(path: string | undefined): Promise<Finding> {
  try {
    const env = path === undefined ? {} : { PATH: path };
    const { stdout } = await promisify(execFile)('git', ['--version'], { env, timeout: ANSWER_MS });
    return diagnoseGit(stdout.trim());
  } catch (error) {
    const isMissing = isMissingFile(error);
    return toErrorFinding(
      isMissing ? 'git is not on the PATH' : `git does not run: ${toErrorMessage(error)}`,
      `Install ${GIT_NEEDED} and make sure that it is on the runner's PATH.`,
    );
  }
}

/** Repositories whose checkouts get the contents of files of Git LFS; none where the configuration cannot be read. */
export const listLfsRepos = (
  loadResult: { settings: Pick<Settings, 'checkout'> } | Error,
): string[] =>
  loadResult instanceof Error
    ? []
    : (loadResult.settings.checkout?.repositories ?? []).flatMap(({ repo, lfs }) =>
        lfs ? [repo] : [],
      );

/** As {@link checkGit}; `lfsRepos`: repositories whose checkouts get the contents of files of Git LFS. */
export async function checkGitAndLfs(
  path: string | undefined,
  lfsRepos: readonly string[],
): Promise<Finding> {
  const finding = await checkGit(path);
  if (finding.status !== 'ok' || lfsRepos.length === 0) return finding;
  const env = path === undefined ? {} : { PATH: path };
  return promisify(execFile)('git', ['lfs', 'version'], { env, timeout: ANSWER_MS }).then(
    () => finding,
    () =>
      toWarningFinding(
        `git-lfs does not run, so files of Git LFS stay pointers in checkouts of ${lfsRepos.join(', ')}`,
        "Install git-lfs on the runner's PATH, or remove lfs from checkout.repositories.",
      ),
  );
}
