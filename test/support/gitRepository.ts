import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Content of a file in a commit: text, a link or an executable; null removes it. */
export type FileContent = string | { link: string } | { executable: string } | null;

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
  /** The commit that a branch points to. */
  head(branch?: string): string;
  /** Text of a file in a commit. */
  show(path: string, ref?: string): string;
  /** Removes it from the disk. */
  remove(): void;
}

/**
 * Git without the configuration of the machine and always at the same time, so that a test's shas
 * repeat.
 */
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

/**
 * Runs git in a folder; for what a test does beside the repository itself (in a checkout, for
 * example).
 */
export function git(
  cwd: string,
  args: string[],
  options: { env?: Record<string, string>; input?: string | Uint8Array } = {},
): string {
  return execFileSync('git', args, {
    cwd,
    env: { ...ENVIRONMENT, ...options.env },
    input: options.input ?? '',
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
}

const entryOf = (content: Exclude<FileContent, null>): [mode: string, body: string] => {
  if (typeof content === 'string') return ['100644', content];
  return 'link' in content ? ['120000', content.link] : ['100755', content.executable];
};

/** Copies of repositories as they were made, by what they were made of: eleven programs make one. */
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
  const made = MADE.get(kind);
  mkdirSync(path, { recursive: true });
  if (made === undefined)
    git(path, ['init', '--quiet', '--initial-branch=main', ...(bare ? ['--bare'] : [])]);
  else cpSync(made, path, { recursive: true, verbatimSymlinks: true });
  let serial = 0;

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
    // By way of a private index, so that it works in a bare repository and beside any checked-out
    // branch.
    commit: (files, { branch = 'main', from = 'main', message = 'Change' } = {}) => {
      const known = (name: string) =>
        git(path, ['for-each-ref', '--format=%(objectname)', `refs/heads/${name}`]);
      const parent = known(branch) || known(from);
      const env = { GIT_INDEX_FILE: join(root, `index-${++serial}`) };
      git(path, parent ? ['read-tree', parent] : ['read-tree', '--empty'], { env });
      const lines = Object.entries(files).map(([file, content]) => {
        if (content === null) return `0 ${'0'.repeat(40)}\t${file}`;
        const [mode, body] = entryOf(content);
        return `${mode} ${git(path, ['hash-object', '-w', '--stdin'], { input: body })}\t${file}`;
      });
      git(path, ['update-index', '--index-info'], { env, input: `${lines.join('\n')}\n` });
      const tree = git(path, ['write-tree'], { env });
      const commit = git(path, [
        'commit-tree',
        tree,
        ...(parent ? ['-p', parent] : []),
        '-m',
        message,
      ]);
      git(path, ['update-ref', `refs/heads/${branch}`, commit]);
      if (!bare && git(path, ['symbolic-ref', 'HEAD']) === `refs/heads/${branch}`)
        git(path, ['reset', '--quiet', '--hard']);
      return commit;
    },
  };
  if (made === undefined) {
    repository.commit(files, { message: 'Start' });
    keepCopy(kind, path);
  } else if (!bare) git(path, ['update-index', '--refresh']);
  return repository;
}
