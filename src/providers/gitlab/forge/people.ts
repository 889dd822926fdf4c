import type { Clock } from '../../../base/time/clock.ts';
import { readTextAt } from '../../../base/json/untrusted.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Doer } from '../../rest/composeNews.ts';
import type { RestQuery } from '../../rest/client.ts';
import type { GitlabUser } from './answers.ts';
import type { GitlabClient } from './client.ts';
import { toGitlabLogin } from './describe.ts';

const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 2_000;
/** Lowest access level that may write to a project: Developer. */
const DEVELOPER = 30;
const TOKEN_ACCOUNT = /^(?:project|group)_\d+_bot/;

/**
 * Looks up the authors of notes, which do not say who is a member or a bot: once for each author
 * and project.
 */
export class People {
  readonly #client: GitlabClient;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { until: number; answer: Promise<unknown> }>();

  constructor(client: GitlabClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async doer(slug: string, user: GitlabUser | null): Promise<Doer> {
    const login = toGitlabLogin(user);
    if (user === null) return { login, bot: false, member: false };
    // No lookup is needed for our own actions: they are not reported, or only if they are not
    // marked.
    const self = await this.#client.self();
    if (user.id === self.id) return { login, bot: false, member: true };
    const bot = TOKEN_ACCOUNT.test(login) || (await this.#isBot(user));
    return { login, bot, member: !bot && (await this.#isMember(slug, user)) };
  }

  async isMember(slug: string, username: string): Promise<boolean> {
    const users = await this.#ask<GitlabUser[]>(`account ${username}`, '/users', [], { username });
    const user = users.find(
      (one) => readTextAt(one, 'username').toLowerCase() === username.toLowerCase(),
    );
    return user !== undefined && (await this.doer(slug, user)).member;
  }

  /** An account never changes from person to bot or back, so the answer is kept. */
  async #isBot({ id, username }: GitlabUser): Promise<boolean> {
    const what = `account ${username}`;
    const { bot } = await this.#ask<{ bot?: boolean }>(what, `/users/${id}`, {}, {}, Infinity);
    return bot === true;
  }

  async #isMember(slug: string, { id, username }: GitlabUser): Promise<boolean> {
    const path = `${this.#client.project(slug)}/members/all/${id}`;
    const { access_level: level = 0 } = await this.#ask<{ access_level?: number }>(
      `membership of ${username} in ${slug}`,
      path,
      {},
    );
    return level >= DEVELOPER;
  }

  /**
   * Asks and keeps the answer for `keptMs`. `otherwise` is used where GitLab says that it does not
   * exist, or hides it from the token.
   */
  #ask<T extends object>(
    what: string,
    path: string,
    otherwise: T,
    query: RestQuery = {},
    keptMs = KEPT_MS,
  ): Promise<T> {
    const key = `${path} ${JSON.stringify(query)}`.toLowerCase();
    const now = this.#clock.now();
    const cached = this.#kept.get(key);
    if (cached && cached.until > now) return cached.answer as Promise<T>;
    const { rest } = this.#client;
    const request = Array.isArray(otherwise)
      ? (rest.list(what, path, query) as Promise<unknown> as Promise<T>)
      : rest.get<T>(what, path, query);
    const answer = request.catch((error: unknown) => {
      if (error instanceof SvcError && (error.code === 'not-found' || error.code === 'forbidden'))
        return otherwise;
      throw error;
    });
    this.#kept.delete(key);
    this.#kept.set(key, { until: now + keptMs, answer });
    answer.catch(() => {
      if (this.#kept.get(key)?.answer === answer) this.#kept.delete(key);
    });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return answer;
  }
}
