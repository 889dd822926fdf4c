import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { isPassingFault } from '../base/errors/isPassingFault.ts';
import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import { runGit } from './runGit.ts';
import { checkBranch } from './gitNames.ts';
import { explainNoRepository } from './explainNoRepository.ts';
import { readPlainRef } from './readPlainRef.ts';

export interface Repository {
  /** As configured: the working tree, or the bare repository itself. */
  path: string;
  /** Folder of refs and objects; a linked worktree uses that of its repository. */
  gitDir: string;
}

const readRepositoryFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isPassingFault(error)) throw createUnreadableFileError(file, error);
    return undefined;
  }
};

const createUnreadableFileError = (file: string, cause: unknown): SvcError =>
  new SvcError(
    'temporarily-unavailable',
    `${file} cannot be read at the moment: ${toErrorMessage(cause)}. Send it again.`,
    { cause },
  );

/** Also false for a path below a file, or one that may not be read. */
const isReadableFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isPassingFault(error)) throw createUnreadableFileError(path, error);
    return false;
  }
};

/**
 * `.git` is a folder, or a file that names one (linked worktrees), whose `commondir` holds refs and
 * objects.
 */
function findGitDir(path: string): string | undefined {
  const dotGit = join(path, '.git');
  const pointer = isReadableFolder(dotGit)
    ? undefined
    : readRepositoryFile(dotGit)?.match(/^gitdir: (.+)$/)?.[1];
  const own =
    pointer === undefined ? (isReadableFolder(dotGit) ? dotGit : path) : resolve(path, pointer);
  const commonDir = readRepositoryFile(join(own, 'commondir'));
  const gitDir = commonDir === undefined ? own : resolve(own, commonDir);
  return existsSync(join(gitDir, 'HEAD')) && isReadableFolder(join(gitDir, 'objects'))
    ? gitDir
    : undefined;
}

/**
 * Opens the repository that stands exactly there (never one of a parent folder). Throws SvcError
 * `config-invalid` for a path that is not absolute, is no git repository, or is one of a kind that
 * we cannot read.
 */
export function openRepository(path: string): Repository {
  const refuse = (why: string): SvcError =>
    new SvcError('config-invalid', `${path} ${why}. See forges.local.repos of config.json.`, {
      data: { path },
    });
  if (!isAbsolute(path)) throw refuse('is not an absolute path');
  const gitDir = findGitDir(path);
  if (gitDir === undefined) throw refuse(explainNoRepository(path));
  const head = join(gitDir, 'HEAD');
  // A power loss can leave it empty, and git then says only that this is not a repository.
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(readRepositoryFile(head) ?? ''))
    throw refuse(
      `has a damaged HEAD, so git does not take it for a repository: name a branch in it, such as: echo 'ref: refs/heads/main' > ${quotePosixWord(head)}`,
    );
  const config = readRepositoryFile(join(gitDir, 'config')) ?? '';
  if (/^\s*refstorage\s*=\s*(?!files)/im.test(config)) {
    throw refuse(
      'keeps its branches in another format than files (reftable), which is not supported: run `git refs migrate --ref-format=files` in it',
    );
  }
  if (/^\s*objectformat\s*=\s*(?!sha1)/im.test(config)) {
    throw refuse('does not use SHA-1 objects; no other format is supported');
  }
  return { path, gitDir };
}

/** The branch that HEAD names, also when it has no commit yet; null when HEAD is detached. */
export const readHeadBranch = (repository: Repository): string | null =>
  readRepositoryFile(join(repository.gitDir, 'HEAD'))?.match(/^ref: refs\/heads\/(.+)$/)?.[1] ??
  null;

/**
 * The commit that a branch points to; undefined when the branch does not exist. Throws
 * `bad-argument` for an invalid name.
 */
export async function findBranch(
  repository: Repository,
  branch: string,
  field = 'branch',
): Promise<string | undefined> {
  checkBranch(branch, field);
  return findRef(repository, `refs/heads/${branch}`);
}

/**
 * The object that a full name of a ref, or HEAD, points to; undefined when it does not exist. Reads
 * nothing but refs, so a checkout that belongs to an agent can be asked too.
 */
export async function findRef({ gitDir }: Repository, ref: string): Promise<string | undefined> {
  const plain = await readPlainRef(gitDir, ref);
  if (plain !== undefined) return plain;
  const { stdout, exitCode } = await runGit(
    ['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', '--end-of-options', ref],
    { answers: [1] },
  );
  return exitCode === 0 ? stdout.trim() : undefined;
}
