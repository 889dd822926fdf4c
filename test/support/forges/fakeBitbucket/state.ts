import type { Clock } from '../../../../src/base/time/clock.ts';
import { GitStore } from '../fakeForge/gitStore.ts';

/** How an account logs in. `api-token`: with its e-mail; `access-token`: without a name. */
export type Login = 'api-token' | 'access-token';

export interface FakeUser {
  /** Nickname; that of an access token is its name. */
  login: string;
  uuid: string;
  kind: Login;
  email: string;
  scopes: string[];
}

export interface FakeComment {
  id: number;
  author: string;
  raw: string;
  at: number;
  visibleAt: number;
  parent: number | null;
  inline: { path: string; from: number | null; to: number | null; outdated: boolean } | null;
  resolved: boolean;
  deleted: boolean;
  pending: boolean;
}

export interface FakeReview {
  state: 'approved' | 'changes_requested' | null;
  role: 'PARTICIPANT' | 'REVIEWER';
  at: number | null;
}

export interface FakeBuild {
  key: string;
  name: string;
  state: 'SUCCESSFUL' | 'FAILED' | 'INPROGRESS' | 'STOPPED';
  commit: string;
  at: number;
}

export interface FakePr {
  id: number;
  title: string;
  description: string;
  head: string;
  base: string;
  author: string;
  state: 'OPEN' | 'MERGED' | 'DECLINED';
  draft: boolean;
  createdAt: number;
  updatedAt: number;
  visibleAt: number;
  overVisibleAt: number;
  mergeCommit: string | null;
  closedBy: string | null;
  comments: FakeComment[];
  /** By login. */
  reviews: Map<string, FakeReview>;
  builds: FakeBuild[];
}

export interface FakeRepo {
  workspace: string;
  name: string;
  description: string;
  private: boolean;
  gitDir: string;
  demandedApprovals: number;
  prs: FakePr[];
}

/** Merges that do not end within their request. */
export interface FakeTask {
  endsAt: number;
  error: string | null;
  pr: FakePr;
}

export const SCOPES = [
  'read:user',
  'read:workspace',
  'read:repository',
  'write:repository',
  'admin:repository',
  'read:pullrequest',
  'write:pullrequest',
].map((scope) => `${scope}:bitbucket`);

export class FakeState extends GitStore {
  readonly clock: Clock;
  /** By token. */
  readonly users = new Map<string, FakeUser>();
  /** Logins by workspace. */
  readonly members = new Map<string, Set<string>>();
  readonly repos: FakeRepo[] = [];
  readonly tasks = new Map<string, FakeTask>();
  /** How long reads do not show what was written, ms. */
  lagMs = 0;
  /** How long a merge takes, ms; more than 0: longer than its request may. */
  mergeMs = 0;
  mergeError: string | null = null;
  #serial = 1000;

  constructor(clock: Clock) {
    super('bitbucket');
    this.clock = clock;
  }

  id(): number {
    this.#serial += 1;
    return this.#serial;
  }

  addUser(
    token: string,
    login: string,
    more: Partial<FakeUser> & { workspace?: string } = {},
  ): FakeUser {
    const { workspace, ...rest } = more;
    const uuid = `{00000000-0000-4000-8000-${String(this.users.size + 1).padStart(12, '0')}}`;
    const user: FakeUser = {
      login,
      uuid,
      kind: 'api-token',
      email: `${login}@acme.test`,
      scopes: [...SCOPES],
      ...rest,
    };
    this.users.set(token, user);
    if (workspace !== undefined)
      this.members.set(workspace, (this.members.get(workspace) ?? new Set()).add(login));
    return user;
  }

  user(login: string): FakeUser {
    const user = [...this.users.values()].find((one) => one.login === login);
    if (!user) throw new Error(`the fake Bitbucket has no account ${login}`);
    return user;
  }

  /** With a first commit, or empty as the API makes them. */
  addRepo(slug: string, more: Partial<FakeRepo> & { empty?: boolean } = {}): FakeRepo {
    const { empty = false, ...rest } = more;
    const [workspace = '', name = ''] = slug.split('/');
    const repo: FakeRepo = {
      workspace,
      name,
      description: '',
      private: false,
      demandedApprovals: 0,
      prs: [],
      gitDir: empty ? this.makeEmpty(slug) : this.make(slug),
      ...rest,
    };
    this.repos.push(repo);
    return repo;
  }

  makeEmpty(slug: string): string {
    const gitDir = `${this.dir}/${slug}.git`;
    this.git('init', '--quiet', '--bare', '--initial-branch=main', gitDir);
    this.git('--git-dir', gitDir, 'config', 'http.receivepack', 'true');
    return gitDir;
  }

  find(slug: string): FakeRepo | undefined {
    return this.repos.find(
      ({ workspace, name }) => `${workspace}/${name}`.toLowerCase() === slug.toLowerCase(),
    );
  }

  repo(slug: string): FakeRepo {
    const repo = this.find(slug);
    if (!repo) throw new Error(`the fake Bitbucket has no repository ${slug}`);
    return repo;
  }

  pr(slug: string, id: number): FakePr {
    const pr = this.repo(slug).prs.find((one) => one.id === id);
    if (!pr) throw new Error(`${slug} has no pull request ${id}`);
    return pr;
  }

  readHead(repo: FakeRepo, pr: FakePr): string {
    return this.readCommit(repo, pr.head);
  }

  isMergeable(repo: FakeRepo, pr: FakePr): boolean {
    return this.merges(repo, this.readCommit(repo, pr.base), this.readHead(repo, pr));
  }

  openPr(
    repo: FakeRepo,
    pr: Pick<FakePr, 'title' | 'description' | 'head' | 'base' | 'author'>,
  ): FakePr {
    const now = this.clock.now();
    const opened: FakePr = {
      ...pr,
      id: repo.prs.length + 1,
      state: 'OPEN',
      draft: false,
      createdAt: now,
      updatedAt: now,
      visibleAt: now + this.lagMs,
      overVisibleAt: 0,
      mergeCommit: null,
      closedBy: null,
      comments: [],
      reviews: new Map(),
      builds: [],
    };
    repo.prs.push(opened);
    return opened;
  }

  mergePr(repo: FakeRepo, pr: FakePr, by: string, message: string): void {
    pr.mergeCommit = this.merge(repo, { base: pr.base, head: pr.head, message });
    this.#end(pr, 'MERGED', by);
  }

  declinePr(pr: FakePr, by: string): void {
    this.#end(pr, 'DECLINED', by);
  }

  #end(pr: FakePr, state: FakePr['state'], by: string): void {
    const now = this.clock.now();
    Object.assign(pr, { state, closedBy: by, updatedAt: now, overVisibleAt: now + this.lagMs });
  }

  say(pr: FakePr, author: string, raw: string, more: Partial<FakeComment> = {}): FakeComment {
    const now = this.clock.now();
    const comment: FakeComment = {
      id: this.id(),
      author,
      raw,
      at: now,
      visibleAt: now + this.lagMs,
      parent: null,
      inline: null,
      resolved: false,
      deleted: false,
      pending: false,
      ...more,
    };
    pr.comments.push(comment);
    pr.updatedAt = now;
    return comment;
  }

  review(
    pr: FakePr,
    login: string,
    state: FakeReview['state'],
    role: FakeReview['role'] = 'PARTICIPANT',
  ): void {
    const now = this.clock.now();
    pr.reviews.set(login, { state, role: pr.reviews.get(login)?.role ?? role, at: now });
    pr.updatedAt = now;
  }
}
