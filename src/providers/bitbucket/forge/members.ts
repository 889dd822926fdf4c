import type { Clock } from '../../../base/time/clock.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { BitbucketClient } from './client.ts';
import { listBitbucketPeople, type IsMember } from './news.ts';
import type { BitbucketPrData } from './describe.ts';
import type { Repository } from './resources.ts';

/**
 * How long an answer is valid, ms; the longest delay in noticing who joined or left a workspace.
 */
const HOLDS_MS = 3_600_000;
const MAX_KEPT = 5_000;

export class Members {
  readonly #client: BitbucketClient;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { value: Promise<boolean>; until: number }>();

  constructor(client: BitbucketClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Throws SvcError where the members cannot be read now. */
  async createMemberTest(bitbucketPrData: BitbucketPrData): Promise<IsMember> {
    const repo = bitbucketPrData.pr.destination.repository.full_name;
    const reviewers = (bitbucketPrData.pr.participants ?? [])
      .filter(({ role }) => role === 'REVIEWER')
      .map(({ user }) => user.uuid);
    const members = new Set(reviewers);
    const others = new Set(
      listBitbucketPeople(bitbucketPrData).flatMap(({ type, uuid }) =>
        type === 'user' && !members.has(uuid) ? [uuid] : [],
      ),
    );
    for (const uuid of others) if (await this.#isMember(repo, uuid)) members.add(uuid);
    return ({ uuid }) => members.has(uuid);
  }

  /** `identities`: account id and UUID of a person, as deliveries name them. */
  async isMember(repo: string, identities: readonly string[]): Promise<boolean> {
    const userId = identities.find((id) => id.startsWith('{')) ?? identities[0];
    return userId !== undefined && this.#isMember(repo, userId);
  }

  async #isMember(repo: string, uuid: string): Promise<boolean> {
    const [workspace = ''] = repo.split('/');
    const list = `/workspaces/${workspace}/members`;
    const what = `workspace ${workspace}`;
    const maySee = await this.#askOnce(`${workspace} list`, () =>
      this.#isThere(() => this.#client.get(`members of ${what}`, list, { pagelen: 1 })),
    );
    if (maySee) {
      return this.#askOnce(`${workspace} ${uuid}`, () =>
        this.#isThere(() =>
          this.#client.get(`a member of ${what}`, `${list}/${encodeURIComponent(uuid)}`),
        ),
      );
    }
    return this.#askOnce(`${repo} private`, async () => {
      const { is_private } = await this.#client.get<Repository>(
        `repository ${repo}`,
        `/repositories/${repo}`,
      );
      return is_private;
    });
  }

  async #isThere(ask: () => Promise<unknown>): Promise<boolean> {
    try {
      await ask();
      return true;
    } catch (error) {
      if (error instanceof SvcError && (error.code === 'not-found' || error.code === 'forbidden'))
        return false;
      throw error;
    }
  }

  #askOnce(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const now = this.#clock.now();
    const cached = this.#kept.get(key);
    if (cached && cached.until > now) return cached.value;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const value = ask();
    this.#kept.set(key, { value, until: now + HOLDS_MS });
    value.catch(() => this.#kept.delete(key));
    return value;
  }
}
