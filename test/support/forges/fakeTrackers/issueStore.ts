import { type Clock, systemClock } from '../../../../src/base/time/clock.ts';

export interface TrackerUser {
  login: string;
  /** Name beside the token, where the tracker wants one. */
  email: string;
  canWrite: boolean;
  /** What a token with scopes may do; undefined = one without. */
  scopes?: readonly string[];
  /** A customer of a service project; default false. */
  isCustomer?: boolean;
}

export interface StoredComment {
  id: string;
  author: string;
  body: unknown;
  /** Epoch ms. */
  at: number;
  properties: Record<string, unknown>;
}

export interface StoredIssue {
  key: string;
  title: string;
  author: string;
  body: unknown;
  status: string;
  labels: string[];
  links: string[];
  comments: StoredComment[];
  updatedAt: number;
  searchableAt: number;
}

export class IssueStore {
  readonly clock: Clock;
  readonly users = new Map<string, TrackerUser>();
  readonly issues = new Map<string, StoredIssue>();
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** How long a search does not find what was written, ms. */
  searchLagMs = 0;
  /** Requests that are still taken; then they are refused until `resetsAt`. */
  left = Number.POSITIVE_INFINITY;
  /** Seconds that a refusal asks for. */
  retryAfter = 1;
  #serial = 10_000;

  constructor(moves: Readonly<Record<string, readonly string[]>>, clock: Clock = systemClock) {
    this.moves = moves;
    this.clock = clock;
  }

  id(): string {
    this.#serial += 1;
    return String(this.#serial);
  }

  addUser(token: string, login: string, more: Partial<TrackerUser> = {}): void {
    this.users.set(token, { login, email: `${login}@example.test`, canWrite: true, ...more });
  }

  addIssue(
    key: string,
    title: string,
    body: unknown,
    more: Partial<StoredIssue> = {},
  ): StoredIssue {
    const now = this.clock.now();
    const [status = ''] = Object.keys(this.moves);
    const issue = {
      key,
      title,
      author: 'ann',
      body,
      status,
      labels: [],
      links: [],
      comments: [],
      updatedAt: now,
      searchableAt: now + this.searchLagMs,
      ...more,
    };
    this.issues.set(key, issue);
    return issue;
  }

  isOutsider(login: string): boolean {
    return [...this.users.values()].some(
      (user) => user.login === login && user.isCustomer === true,
    );
  }

  issue(key: string): StoredIssue {
    const issue = this.issues.get(key);
    if (!issue) throw new Error(`the fake has no issue ${key}`);
    return issue;
  }

  addComment(
    issue: StoredIssue,
    author: string,
    body: unknown,
    more: Partial<StoredComment> = {},
  ): StoredComment {
    const comment = { id: this.id(), author, body, at: this.clock.now(), properties: {}, ...more };
    issue.comments.push(comment);
    issue.updatedAt = this.clock.now();
    return comment;
  }

  /** Newest change first, as far as a search sees them. */
  search(matches: (issue: StoredIssue) => boolean): StoredIssue[] {
    const now = this.clock.now();
    return [...this.issues.values()]
      .filter((issue) => issue.searchableAt <= now && matches(issue))
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Takes a request; false = too many were made. */
  take(): boolean {
    if (this.left <= 0) {
      // One refusal is waited out; the wait itself is the caller's affair.
      this.left = Number.POSITIVE_INFINITY;
      return false;
    }
    this.left -= 1;
    return true;
  }
}

export const iso = (at: number): string => new Date(at).toISOString();
