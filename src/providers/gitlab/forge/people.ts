import type { Clock } from '../../../lib/clock.ts';
import { SvcError } from '../../../lib/errors.ts';
import type { Doer } from '../../rest/happenings.ts';
import type { GitlabUser } from './answers.ts';
import type { GitlabClient } from './client.ts';
import { loginOf } from './describe.ts';

/** How long an answer about membership is valid, ms. */
const MEMBER_MS = 10 * 60_000;
/** Access level from which on one may write to a project: Developer. */
const DEVELOPER = 30;
/** Accounts that GitLab makes for access tokens of projects and groups. */
const TOKEN_ACCOUNT = /^(?:project|group)_\d+_bot/;

/**
 * Who the authors of notes are: GitLab does not say it beside the notes. Asks once for each, and
 * for each project.
 */
export class People {
  readonly #client: GitlabClient;
  readonly #clock: Clock;
  /** Accounts do not become programs or stop being some. */
  readonly #bots = new Map<number, boolean>();
  readonly #members = new Map<string, { until: number; member: boolean }>();

  constructor(client: GitlabClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async doer(slug: string, user: GitlabUser | null): Promise<Doer> {
    const login = loginOf(user);
    if (user === null) return { login, bot: false, member: false };
    // Own actions are not reported, or all that are not marked: no lookup is needed.
    const self = await this.#client.self();
    if (user.id === self.id) return { login, bot: false, member: true };
    const bot = TOKEN_ACCOUNT.test(login) || (await this.#isBot(user));
    return { login, bot, member: !bot && (await this.#isMember(slug, user)) };
  }

  async #isBot({ id, username }: GitlabUser): Promise<boolean> {
    const known = this.#bots.get(id);
    if (known !== undefined) return known;
    const { bot } = await this.#ask<{ bot?: boolean }>(`account ${username}`, `/users/${id}`, {});
    this.#bots.set(id, bot === true);
    return bot === true;
  }

  async #isMember(slug: string, { id, username }: GitlabUser): Promise<boolean> {
    const key = `${slug.toLowerCase()} ${id}`;
    const known = this.#members.get(key);
    if (known && known.until > this.#clock.now()) return known.member;
    const path = `${this.#client.project(slug)}/members/all/${id}`;
    const { access_level: level = 0 } = await this.#ask<{ access_level?: number }>(
      `membership of ${username} in ${slug}`,
      path,
      {},
    );
    const member = level >= DEVELOPER;
    this.#members.set(key, { until: this.#clock.now() + MEMBER_MS, member });
    return member;
  }

  /** `otherwise` where GitLab reports that it does not exist, or does not let the token see it. */
  async #ask<T>(what: string, path: string, otherwise: T): Promise<T> {
    try {
      return await this.#client.rest.get<T>(what, path);
    } catch (error) {
      if (error instanceof SvcError && (error.code === 'not-found' || error.code === 'forbidden'))
        return otherwise;
      throw error;
    }
  }
}
