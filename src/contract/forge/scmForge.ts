/** A person or a program at a forge. */
export interface ScmUser {
  /** Names this account and no other one; case does not matter. */
  login: string;
  /** A program. Default false. Programs wake no job. */
  bot?: boolean;
  /**
   * May write to the repository. Default false: what others write wakes no job unless the
   * configuration names them.
   */
  member?: boolean;
}

/** Where git finds a repository. */
export interface ScmRepository {
  /** As the forge writes it now: the new name of one that was renamed. */
  repo: string;
  /**
   * Address for git, https:// (http:// for a server that has no other), without a login. An address
   * of this machine or its network is refused unless `plugins.installed.<id>.allowHosts` names the
   * host.
   */
  cloneUrl: string;
  /** For reading and pushing; null = none is needed. svc gives it to git alone. */
  login: { username: string; password: string } | null;
  /** For people. */
  url: string;
  /** As `createRepository` was given it, with the mark at its end. Default empty. */
  description?: string;
}

/** Names a pull request. */
export interface ScmAddress {
  repo: string;
  number: number;
}

export interface ScmPullRequest extends ScmAddress {
  /** `repo` as the forge writes it now. */
  repo: string;
  title: string;
  /** The whole text: svc finds what it wrote by the mark at the end. Untrusted. */
  body: string;
  author: ScmUser;
  /** Branches. */
  head: string;
  base: string;
  /** The newest commit of the head branch, all 40 characters; empty where it is not known. */
  headCommit: string;
  state: 'open' | 'merged' | 'closed';
  /** For people. */
  url: string;
  /** ISO 8601, as all times here. */
  createdAt: string;
  /** When it was merged or closed, by whom, and the commit of the merge; null = not known or open. */
  endedAt: string | null;
  endedBy: ScmUser | null;
  mergeCommit: string | null;
}

export interface ScmComment {
  /** The same whenever it is read. */
  id: string;
  author: ScmUser;
  /** The whole text, as in `ScmPullRequest`. */
  body: string;
  at: string;
  /** Id of the comment that it answers; null = none. */
  replyTo: string | null;
  /** For people. Default: the address of the pull request. */
  url?: string;
  /** For a comment on code: where; `line` null = the whole file. Default: it is on no code. */
  place?: { path: string; line: number | null; resolved: boolean };
}

/** What a reviewer decided. */
export interface ScmReview {
  /** The same whenever it is read. */
  id: string;
  author: ScmUser;
  /** `withdrawn`: an earlier decision of the same author no longer counts. */
  verdict: 'approved' | 'changes_requested' | 'withdrawn';
  /**
   * The commit that was reviewed; null = not known. An agent may merge only what a person approved
   * at exactly the newest commit.
   */
  commit: string | null;
  at: string;
  /** Untrusted; default empty. */
  body?: string;
}

/** One result of CI for the newest commit. */
export interface ScmCheck {
  /** Another one for each run. */
  id: string;
  name: string;
  /** `neutral`: neither good nor bad, such as skipped. */
  state: 'pending' | 'passed' | 'failed' | 'neutral';
  /** Whether the base branch requires it; true where the forge does not tell. */
  required: boolean;
  url: string;
  /** When it ended; null = it has not. */
  at: string | null;
}

export interface ScmPullRequestDetail extends ScmPullRequest {
  /** Whether git can merge it now; null = not known yet, or not open. */
  mergeable: boolean | null;
  /**
   * What the forge says itself about merging it now, in its own word; `clean`: nothing that it
   * requires is missing. null = it does not say.
   */
  mergeState: { word: string; clean: boolean } | null;
  /** All, oldest first. */
  comments: ScmComment[];
  /** All, oldest first; the last one of an author counts. */
  reviews: ScmReview[];
  /** null = the account may not read them. */
  checks: ScmCheck[] | null;
  /**
   * What else keeps an open pull request from being merged, a line each, as clauses about it: "its
   * repository is archived". At most 300 characters. People and the job that waits for it are shown
   * these. Default none.
   */
  hindrances?: string[];
}

/**
 * A forge. Each call is independent: keep nothing in memory that a later one needs. An item of a
 * list that has another shape is left out, and so are `comments`, `reviews`, `checks`, `hindrances`,
 * `mergeable` and `mergeState` of another shape: the log of svc and the pull request name them. An error
 * with a `code` of `not-found`, `conflict`, `bad-argument`, `forbidden`, `config-invalid` (wrong
 * token) or `rate-limited` (with `retryAt`, epoch ms) means that nothing was done. With any other,
 * `unreachable` among them, and when the process ends or an answer has another shape, a write counts
 * as one that may have been done: svc looks for it by its mark before anything is written again. A
 * call has 30 s.
 */
export interface ScmForge {
  /** Login of the account that svc uses. */
  self(): Promise<string>;
  /** Throws `not-found` for one that does not exist or that the account may not see. */
  repository(repo: string): Promise<ScmRepository>;
  /** The newest 500 in every state, newest first. */
  pullRequests(repo: string): Promise<ScmPullRequest[]>;
  /** Throws `not-found`. */
  pullRequest(pr: ScmAddress): Promise<ScmPullRequestDetail>;
  /** Unified diff from the common ancestor of base and head to head. */
  diff(pr: ScmAddress): Promise<string>;
  /**
   * svc has pushed the branch already. While one is open for the same branches: throws `conflict`,
   * and opens no second one.
   */
  createPullRequest(pr: {
    repo: string;
    head: string;
    base: string;
    title: string;
    body: string;
  }): Promise<ScmPullRequest>;
  /** `replyTo`: id of the comment to answer; null = a comment of its own. */
  comment(comment: ScmAddress & { body: string; replyTo: string | null }): Promise<ScmComment>;
  /** Approves the newest commit in the name of the account. */
  approve(pr: ScmAddress): Promise<void>;
  /**
   * Merges exactly the commit `head`: throws `conflict` where another one is the newest, and
   * whenever the forge refuses, with the forge's own reason. `message`: for the merge commit, if
   * the forge takes one.
   */
  merge(pr: ScmAddress & { head: string; message: string }): Promise<ScmPullRequest>;
  /** Throws `conflict` for a name that is taken. Left out = agents cannot create repositories. */
  createRepository?(repository: {
    repo: string;
    description: string;
    private: boolean;
  }): Promise<ScmRepository>;
  /**
   * A text for each pull request, in the same order, that changes whenever anything about it does;
   * null = it is gone. Asked at every poll, so use few requests. Left out: each pull request that a
   * job waits for is read at every poll.
   */
  changes?(prs: readonly ScmAddress[]): Promise<(string | null)[]>;
  /**
   * The repository that an address is about, as `repository` takes it: where git finds it, its page,
   * or a page of something in it such as a pull request. null = none of this forge's: another
   * server, or a page that belongs to no repository. `address` was written by people in a ticket and
   * has any scheme (`https://…`, `ssh://…`, `git@host:…`). Needs no request: svc asks `repository`
   * whether it exists. Left out: tickets name the forge's repositories by name, never by address.
   */
  repositoryAt?(address: string): Promise<string | null>;
}
