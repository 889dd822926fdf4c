import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/lib/clock.ts';

export interface FakeUser {
  login: string;
  type: 'User' | 'Bot';
  /** Scopes of the token. */
  scopes: string[];
}

export interface FakeComment {
  id: number;
  author: string;
  body: string;
  at: number;
  /** From when on reads show it. */
  visibleAt: number;
  association: string;
}

export interface FakeReview extends FakeComment {
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
  commit: string;
}

export interface FakeThread {
  id: string;
  path: string;
  line: number;
  resolved: boolean;
  comments: (FakeComment & { replyTo: number | null })[];
}

export interface FakeCheck {
  id: number;
  name: string;
  status: 'IN_PROGRESS' | 'COMPLETED';
  conclusion: 'SUCCESS' | 'FAILURE' | null;
  at: number;
}

export interface FakePr {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  author: string;
  state: 'OPEN' | 'CLOSED' | 'MERGED';
  createdAt: number;
  updatedAt: number;
  visibleAt: number;
  mergedAt: number | null;
  closedAt: number | null;
  /** From when on reads show that it is merged. */
  mergeVisibleAt: number;
  mergeCommit: string | null;
  mergedBy: string | null;
  closedBy: string | null;
  comments: FakeComment[];
  reviews: FakeReview[];
  threads: FakeThread[];
  /** By commit. */
  checks: Map<string, FakeCheck[]>;
}

export interface FakeRepo {
  owner: string;
  name: string;
  description: string;
  private: boolean;
  defaultBranch: string;
  gitDir: string;
  /** Approvals that its default branch demands before a merge. */
  demandedApprovals: number;
  prs: FakePr[];
}

/** What the fake GitHub knows. Git is real: a bare repository on this disk for each repository. */
export class FakeState {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-github-'));
  readonly clock: Clock;
  readonly users = new Map<string, FakeUser>();
  readonly repos: FakeRepo[] = [];
  /** How long reads do not show what was written, ms. */
  lagMs = 0;
  /** Whether git can merge two commits; they never change. */
  readonly merges = new Map<string, boolean>();
  #serial = 1000;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  id(): number {
    this.#serial += 1;
    return this.#serial;
  }

  addUser(token: string, login: string, more: Partial<FakeUser> = {}): void {
    this.users.set(token, { login, type: 'User', scopes: ['repo'], ...more });
  }

  typeOf(login: string): 'User' | 'Bot' {
    return [...this.users.values()].find((user) => user.login === login)?.type ?? (login.endsWith('[bot]') ? 'Bot' : 'User');
  }

  addRepo(slug: string, more: Partial<FakeRepo> = {}): FakeRepo {
    const [owner = '', name = ''] = slug.split('/');
    const gitDir = join(this.dir, owner, `${name}.git`);
    this.git('init', '--quiet', '--bare', '--initial-branch=main', gitDir);
    this.git('--git-dir', gitDir, 'config', 'http.receivepack', 'true');
    const repo: FakeRepo = {
      ...{ owner, name, description: '', private: false, defaultBranch: 'main', gitDir, demandedApprovals: 0, prs: [] },
      ...more,
    };
    this.commit(repo, 'main', { 'README.md': `# ${name}\n` });
    this.repos.push(repo);
    return repo;
  }

  repo(slug: string): FakeRepo {
    const repo = this.repos.find(({ owner, name }) => `${owner}/${name}`.toLowerCase() === slug.toLowerCase());
    if (!repo) throw new Error(`the fake GitHub has no repository ${slug}`);
    return repo;
  }

  pr(slug: string, number: number): FakePr {
    const pr = this.repo(slug).prs.find((one) => one.number === number);
    if (!pr) throw new Error(`${slug} has no pull request ${number}`);
    return pr;
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...IDENTITY },
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim();
  }

  /** The commit of a branch; empty where there is none. */
  commitOf({ gitDir }: FakeRepo, branch: string): string {
    // A process for each look would make a poll of many pull requests slow.
    const file = join(gitDir, 'refs', 'heads', branch);
    if (existsSync(file)) return readFileSync(file, 'utf8').trim();
    return this.git('--git-dir', gitDir, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  }

  /** Commits files on a branch, from `main` where it is new. */
  commit(repo: FakeRepo, branch: string, files: Record<string, string>, message = 'Change'): string {
    const at = (...args: string[]) => this.git('--git-dir', repo.gitDir, ...args);
    const parent = this.commitOf(repo, branch) || this.commitOf(repo, 'main');
    const entries = Object.entries(files).map(([path, text]) => {
      const blob = execFileSync('git', ['--git-dir', repo.gitDir, 'hash-object', '-w', '--stdin'], {
        input: text,
        encoding: 'utf8',
      }).trim();
      return `100644 blob ${blob}\t${path}`;
    });
    const others = (parent === '' ? '' : at('ls-tree', parent))
      .split('\n')
      .filter((line) => line !== '' && !Object.hasOwn(files, line.split('\t')[1] ?? ''));
    const tree = execFileSync('git', ['--git-dir', repo.gitDir, 'mktree'], {
      input: `${[...others, ...entries].join('\n')}\n`,
      encoding: 'utf8',
    }).trim();
    const commit = at('commit-tree', tree, ...(parent === '' ? [] : ['-p', parent]), '-m', message);
    at('update-ref', `refs/heads/${branch}`, commit);
    return commit;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Fake',
  GIT_AUTHOR_EMAIL: 'fake@example.test',
  GIT_COMMITTER_NAME: 'Fake',
  GIT_COMMITTER_EMAIL: 'fake@example.test',
};
