import type { Clock } from '../../../base/time/clock.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { GithubClient } from './client.ts';

/** How long an answer about one account and repository is kept, ms. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 1_000;
/** Associations of accounts that belong to a repository, or to the organisation that owns it. */
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
/** The association of a placeholder without an account. */
const NO_ACCOUNT = 'MANNEQUIN';
/** Roles that give no more than every account has in a public repository. */
const READERS = new Set(['read', 'none']);

export const isMemberBy = (association: string): boolean => MEMBERS.has(association);

/**
 * Whether the account may still be a member: GitHub does not show private memberships, which are
 * the default.
 */
export const mayBeMember = (association: string): boolean =>
  !MEMBERS.has(association) && association !== NO_ACCOUNT;

/** Answers, one account at a time and cached, who belongs to a repository. */
export class Members {
  readonly #client: GithubClient;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { at: number; answer: Promise<boolean> }>();

  constructor(client: GithubClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /**
   * Throws SvcError where GitHub cannot say now; an account about which it may not say anything is
   * not a member.
   */
  isMember(slug: string, login: string): Promise<boolean> {
    const key = `${slug} ${login}`.toLowerCase();
    const cached = this.#kept.get(key);
    const now = this.#clock.now();
    if (cached && now - cached.at < KEPT_MS) return cached.answer;
    const answer = this.#ask(slug, login);
    this.#kept.delete(key);
    this.#kept.set(key, { at: now, answer });
    answer.catch(() => {
      if (this.#kept.get(key)?.answer === answer) this.#kept.delete(key);
    });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return answer;
  }

  async #ask(slug: string, login: string): Promise<boolean> {
    const place = this.#client.place(slug);
    try {
      const { data } = await this.#client.run(`the role of ${login} in ${slug}`, (octokit) =>
        octokit.rest.repos.getCollaboratorPermissionLevel({ ...place, username: login }),
      );
      const { permission, role_name: role } = Object(data);
      if (typeof permission !== 'string' || permission === 'none') return false;
      if (!READERS.has(permission) || !READERS.has(typeof role === 'string' ? role : permission))
        return true;
      // Everybody may read a public repository, but a private one only those with access.
      const repo = await this.#client.run(`repository ${slug}`, (octokit) =>
        octokit.rest.repos.get(place),
      );
      const { visibility, private: isPrivate } = Object(repo.data);
      return visibility === 'private' || (visibility === undefined && isPrivate === true);
    } catch (error) {
      const { code } = Object(error);
      if (error instanceof SvcError && (code === 'not-found' || code === 'forbidden')) return false;
      throw error;
    }
  }
}
