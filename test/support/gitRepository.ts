import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInSmallProcess } from './runInSmallProcess.ts';
import { formatCommitStream, SUBMODULE_MODE } from './importCommit.ts';

/** Content of a file in a commit: text, a link, an executable or the commit of a submodule; null removes it. */
export type FileContent =
  | string
  | { link: string }
  | { executable: string }
  | { submodule: string }
  | null;

export interface GitRepository {
  /** The working tree, or the bare repository itself. */
  path: string;
  bare: boolean;
  /** Runs git in it and returns stdout without the last line end; throws on a non-zero exit. */
  git(...args: string[]): string;
  /**
   * Commits files on a branch and returns the sha; makes the branch (from `from`, default `main`)
   * if it does not exist. Where that branch is checked out, the working tree follows.
   */
  commit(
    files: Record<string, FileContent>,
    options?: { branch?: string; from?: string; message?: string },
  ): string;
  head(branch?: string): string;
  show(path: string, ref?: string): string;
  remove(): void;
}

/** No configuration of the machine and always the same time, so that a test's shas repeat. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
  GIT_AUTHOR_DATE: '1767225600 +0000',
  GIT_COMMITTER_DATE: '1767225600 +0000',
};

/** Runs git in a folder, for example a checkout. */
export function git(
  cwd: string,
  args: string[],
  options: { env?: Record<string, string>; input?: string | Uint8Array } = {},
): string {
  const { status, stdout, stderr } = runInSmallProcess({
    program: 'git',
    args,
    cwd,
    env: { ...ENVIRONMENT, ...options.env },
    input: options.input ?? '',
  });
  if (status !== 0)
    throw Object.assign(new Error(`Command failed: git ${args.join(' ')}\n${stderr}`), {
      status,
      stdout,
      stderr,
    });
  return stdout.replace(/\n$/, '');
}

const toEntry = (content: FileContent): { mode: string; body: string } | null => {
  if (content === null) return null;
  if (typeof content === 'string') return { mode: '100644', body: content };
  if ('submodule' in content) return { mode: SUBMODULE_MODE, body: content.submodule };
  return 'link' in content
    ? { mode: '120000', body: content.link }
    : { mode: '100755', body: content.executable };
};

const importCommit = (
  path: string,
  files: Record<string, FileContent>,
  { branch, parent, message }: { branch: string; parent: string; message: string },
): string =>
  git(path, ['fast-import', '--quiet'], {
    input: formatCommitStream({
      branch,
      parent,
      message,
      by: 'Ada <ada@example.test> 1767225600 +0000',
      files: Object.entries(files).map(([file, content]) => [file, toEntry(content)]),
    }),
  });

/** Copies of repositories as they were made, by what they were made of: several programs make one. */
const MADE = new Map<string, string>();

function keepCopy(kind: string, path: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'svc-git-made-'));
  cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
  MADE.set(kind, copy);
}

process.once('exit', () => {
  for (const copy of MADE.values()) rmSync(copy, { recursive: true, force: true });
});

/**
 * A small real repository in a temp folder of its own (or at `path`): branch `main` with one commit
 * of `files` (default: a README.md), checked out unless it is bare.
 */
export function makeGitRepository(
  options: { bare?: boolean; files?: Record<string, FileContent>; path?: string } = {},
): GitRepository {
  const bare = options.bare ?? false;
  const root = mkdtempSync(join(tmpdir(), 'svc-git-'));
  const path = options.path ?? join(root, bare ? 'shop.git' : 'shop');
  const files = options.files ?? { 'README.md': 'A shop.\n' };
  const kind = JSON.stringify([bare, files]);
  const template = MADE.get(kind);
  mkdirSync(path, { recursive: true });
  if (template === undefined)
    git(path, ['init', '--quiet', '--initial-branch=main', ...(bare ? ['--bare'] : [])]);
  else cpSync(template, path, { recursive: true, verbatimSymlinks: true });

  const repository: GitRepository = {
    path,
    bare,
    git: (...args) => git(path, args),
    head: (branch = 'main') => git(path, ['rev-parse', '--verify', `refs/heads/${branch}`]),
    show: (file, ref = 'main') => git(path, ['show', `${ref}:${file}`]),
    remove: () => {
      rmSync(root, { recursive: true, force: true });
      rmSync(path, { recursive: true, force: true });
    },
    // Beside the index, so that it works in a bare repository and beside any checked-out branch.
    commit: (files, { branch = 'main', from = 'main', message = 'Change' } = {}) => {
      const known = new Map(
        git(path, [
          'for-each-ref',
          '--format=%(refname:lstrip=2) %(objectname)',
          `refs/heads/${branch}`,
          `refs/heads/${from}`,
        ])
          .split('\n')
          .map((line) => line.split(' ') as [string, string]),
      );
      const parent = known.get(branch) ?? known.get(from) ?? '';
      const commit = importCommit(path, files, { branch, parent, message });
      if (!bare && git(path, ['symbolic-ref', 'HEAD']) === `refs/heads/${branch}`)
        git(path, ['reset', '--quiet', '--hard']);
      return commit;
    },
  };
  if (template === undefined) {
    importCommit(path, files, { branch: 'main', parent: '', message: 'Start' });
    if (!bare) git(path, ['reset', '--quiet', '--hard']);
    keepCopy(kind, path);
  } else if (!bare) git(path, ['update-index', '--refresh']);
  return repository;
}
