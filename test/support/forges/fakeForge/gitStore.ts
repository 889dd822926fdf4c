import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCommitStream } from '../../importCommit.ts';

export interface GitPlace {
  gitDir: string;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Fake',
  GIT_AUTHOR_EMAIL: 'fake@example.test',
  GIT_COMMITTER_NAME: 'Fake',
  GIT_COMMITTER_EMAIL: 'fake@example.test',
};

/**
 * The git side of a fake forge. Git is real: a bare repository on this disk for each repository.
 */
export class GitStore {
  readonly dir: string;
  /** Whether git can merge two commits; they never change. */
  readonly #merges = new Map<string, boolean>();

  constructor(name: string) {
    this.dir = mkdtempSync(join(tmpdir(), `svc-${name}-`));
  }

  git(...args: string[]): string {
    return this.#run(args);
  }

  #run(args: string[], input = ''): string {
    return execFileSync('git', args, {
      input,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: '/nonexistent',
        GIT_CONFIG_NOSYSTEM: '1',
        ...IDENTITY,
      },
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim();
  }

  /** Makes a bare repository whose `main` holds README.md; answers its path. */
  make(slug: string): string {
    const gitDir = join(this.dir, `${slug}.git`);
    this.git('init', '--quiet', '--bare', '--initial-branch=main', gitDir);
    this.git('--git-dir', gitDir, 'config', 'http.receivepack', 'true');
    this.commit({ gitDir }, 'main', { 'README.md': `# ${slug.split('/').at(-1)}\n` });
    return gitDir;
  }

  /** The commit of a branch; empty if it does not exist. */
  readCommit({ gitDir }: GitPlace, branch: string): string {
    // A process for each look would make a poll of many pull requests slow.
    const file = join(gitDir, 'refs', 'heads', branch);
    if (existsSync(file)) return readFileSync(file, 'utf8').trim();
    return this.git(
      '--git-dir',
      gitDir,
      'for-each-ref',
      '--format=%(objectname)',
      `refs/heads/${branch}`,
    );
  }

  /**
   * When the branch got its newest commit, epoch ms of this machine; 0 for one that is not there.
   */
  movedAt({ gitDir }: GitPlace, branch: string): number {
    const file = join(gitDir, 'refs', 'heads', branch);
    return existsSync(file) ? statSync(file).mtimeMs : 0;
  }

  commit(
    repo: GitPlace,
    branch: string,
    files: Readonly<Record<string, string | { mode: string; body: string }>>,
    message = 'Change',
  ): string {
    const stream = formatCommitStream({
      branch,
      parent: this.readCommit(repo, branch) || this.readCommit(repo, 'main'),
      message,
      by: `Fake <fake@example.test> ${Math.floor(Date.now() / 1000)} +0000`,
      files: Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? { mode: '100644', body: content } : content,
      ]),
    });
    return this.#run(['--git-dir', repo.gitDir, 'fast-import', '--quiet'], stream);
  }

  /** Commits that `to` has and `from` has not. */
  commitsBetween({ gitDir }: GitPlace, from: string, to: string): number {
    return Number(this.git('--git-dir', gitDir, 'rev-list', '--count', `${from}..${to}`));
  }

  /** Whether git can merge two commits, found out as a forge does: by trying. */
  merges({ gitDir }: GitPlace, base: string, head: string): boolean {
    const known = this.#merges.get(`${base} ${head}`);
    if (known !== undefined) return known;
    let clean = true;
    try {
      this.git('--git-dir', gitDir, 'merge-tree', '--write-tree', base, head);
    } catch {
      clean = false;
    }
    this.#merges.set(`${base} ${head}`, clean);
    return clean;
  }

  merge(
    repo: GitPlace,
    { base, head, message }: { base: string; head: string; message: string },
  ): string {
    const git = (...args: string[]) => this.git('--git-dir', repo.gitDir, ...args);
    const tree = git('merge-tree', '--write-tree', base, head).split('\n')[0] ?? '';
    const [onto, what] = [this.readCommit(repo, base), this.readCommit(repo, head) || head];
    const commit = git('commit-tree', tree, '-p', onto, '-p', what, '-m', message);
    git('update-ref', `refs/heads/${base}`, commit, onto);
    return commit;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
