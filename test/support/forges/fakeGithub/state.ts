import type { Clock } from '../../../../src/base/time/clock.ts';
import type { FakeApp, FakeToken } from './apps.ts';
import { GitStore } from '../fakeForge/gitStore.ts';

export interface FakeUser {
  login: string;
  type: 'User' | 'Bot';
  scopes: string[];
  /** False: a fine-grained token, which cannot have the permission to read checks. */
  seesChecks: boolean;
  /** An app's installation: the account that it is installed for. */
  installedFor?: string;
}

export interface FakeComment {
  id: number;
  author: string;
  body: string;
  at: number;
  visibleAt: number;
  association: string;
}

export interface FakeReview extends FakeComment {
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  commit: string;
}

export interface FakeThread {
  id: string;
  path: string;
  /** Null: the whole file. */
  line: number | null;
  /** Default RIGHT. */
  side?: 'LEFT' | 'RIGHT';
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
  locked?: boolean;
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
  archived?: boolean;
  owner: string;
  name: string;
  description: string;
  private: boolean;
  defaultBranch: string;
  gitDir: string;
  /** Approvals that its default branch demands before a merge. */
  demandedApprovals: number;
  roles: Map<string, 'read' | 'triage' | 'write' | 'maintain' | 'admin'>;
  mergeMethods: ('merge' | 'squash' | 'rebase')[];
  /** Its default branch takes changes through a merge queue alone. */
  mergeQueue: boolean;
  /** Names of checks that its default branch demands before a merge. */
  requiredChecks: string[];
  prs: FakePr[];
}

/** Times as GitHub writes them: whole seconds. */
export const iso = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

export class FakeState extends GitStore {
  readonly clock: Clock;
  readonly users = new Map<string, FakeUser>();
  readonly repos: FakeRepo[] = [];
  readonly apps: FakeApp[] = [];
  readonly tokens = new Map<string, FakeToken>();
  /**
   * Numbers of comments in GraphQL: `full` as GitHub, where what needs more than 32 bits has no
   * `databaseId`; `old` as a server before `fullDatabaseId`; `none`: all null, as the schema allows.
   */
  numbers: 'full' | 'old' | 'none' = 'full';
  /** How long reads do not show what was written, ms. */
  lagMs = 0;
  /** Repositories by the names that they had, in lower case. */
  readonly renamed = new Map<string, FakeRepo>();
  #serial = 1000;

  constructor(clock: Clock) {
    super('github');
    this.clock = clock;
  }

  id(): number {
    this.#serial += 1;
    return this.#serial;
  }

  addUser(token: string, login: string, more: Partial<FakeUser> = {}): void {
    this.users.set(token, { login, type: 'User', scopes: ['repo'], seesChecks: true, ...more });
  }

  getUserType(login: string): 'User' | 'Bot' {
    return (
      [...this.users.values()].find((user) => user.login === login)?.type ??
      (login.endsWith('[bot]') ? 'Bot' : 'User')
    );
  }

  addRepo(slug: string, more: Partial<FakeRepo> = {}): FakeRepo {
    const [owner = '', name = ''] = slug.split('/');
    const isTaken = this.repos.some((one) => one.gitDir.endsWith(`/${slug}.git`));
    const gitDir = this.make(isTaken ? `${slug}-${this.repos.length}` : slug);
    const repo: FakeRepo = {
      owner,
      name,
      description: '',
      private: false,
      defaultBranch: 'main',
      gitDir,
      demandedApprovals: 0,
      mergeMethods: ['merge', 'squash', 'rebase'],
      mergeQueue: false,
      requiredChecks: [],
      roles: new Map(),
      prs: [],
      ...more,
    };
    this.repos.push(repo);
    // A new repository takes the name, so the old name redirects nowhere.
    this.renamed.delete(slug.toLowerCase());
    return repo;
  }

  /** GitHub ignores case: other letters alone are no other name, and are not redirected. */
  rename(repo: FakeRepo, slug: string): void {
    const before = `${repo.owner}/${repo.name}`.toLowerCase();
    if (before !== slug.toLowerCase()) this.renamed.set(before, repo);
    this.renamed.delete(slug.toLowerCase());
    const [owner = '', name = ''] = slug.split('/');
    Object.assign(repo, { owner, name });
  }

  repo(slug: string): FakeRepo {
    const repo = this.repos.find(
      ({ owner, name }) => `${owner}/${name}`.toLowerCase() === slug.toLowerCase(),
    );
    if (!repo) throw new Error(`the fake GitHub has no repository ${slug}`);
    return repo;
  }

  pr(slug: string, number: number): FakePr {
    const pr = this.repo(slug).prs.find((one) => one.number === number);
    if (!pr) throw new Error(`${slug} has no pull request ${number}`);
    return pr;
  }
}
