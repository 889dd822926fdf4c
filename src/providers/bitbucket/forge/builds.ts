import { readTextAt } from '../../../base/json/untrusted.ts';
import type { PrAddress } from '../../../contract/forge/forge.ts';
import { isOfPart } from '../../rest/unreadParts.ts';
import type { BitbucketClient } from './client.ts';
import { pickNewestBuilds } from './describe.ts';
import type { PrGlance } from './openList.ts';
import { readBitbucketBuilds } from './readBitbucketPullRequest.ts';
import type { BuildStatus } from './resources.ts';

/**
 * Pull requests whose builds are checked in one poll: those that build, or changed recently; and of
 * the others.
 */
export const LIVELY_A_POLL = 8;
export const QUIET_A_POLL = 2;
/** How long after its last change a pull request may still begin to build, ms. */
const LIVELY_MS = 30 * 60_000;

interface WatchedBuilds {
  builds: string;
  isRunning: boolean;
  /** Increases when the builds differ from those that were read. */
  turn: number;
  lookedAt: number;
}

const toBuildsKey = ({ repo, number }: PrAddress): string => `${repo.toLowerCase()}#${number}`;
const fingerprintBuilds = (builds: readonly BuildStatus[]): string =>
  builds
    .map(({ key, state, updated_on }) => `${key} ${state} ${updated_on}`)
    .toSorted()
    .join('\n');

/**
 * Watches builds, whose changes Bitbucket's lists of pull requests do not show. Each look is a
 * request, so pull requests take turns: first those that may change soon, then those not looked at
 * for the longest time.
 */
export class Builds {
  readonly #client: BitbucketClient;
  readonly #watched = new Map<string, WatchedBuilds>();

  constructor(client: BitbucketClient) {
    this.#client = client;
  }

  /** What was read of a pull request. */
  read(pr: PrAddress, head: string, builds: readonly BuildStatus[], now: number): void {
    this.#put(pr, pickNewestBuilds(builds, head), now, this.turn(pr));
  }

  /** A new number whenever the builds have changed since they were read. */
  turn(pr: PrAddress): number {
    return this.#watched.get(toBuildsKey(pr))?.turn ?? 0;
  }

  async look(open: readonly { pr: PrAddress; glance: PrGlance }[], now: number): Promise<void> {
    const watchedPrs = open.filter(({ pr }) => this.#watched.has(toBuildsKey(pr)));
    const wantedKeys = new Set(open.map(({ pr }) => toBuildsKey(pr)));
    for (const key of this.#watched.keys()) if (!wantedKeys.has(key)) this.#watched.delete(key);
    const at = ({ pr }: { pr: PrAddress }) => this.#watched.get(toBuildsKey(pr))?.lookedAt ?? 0;
    const orderedPrs = watchedPrs.toSorted((a, b) => at(a) - at(b));
    const isLively = ({ pr, glance }: (typeof open)[number]) =>
      this.#watched.get(toBuildsKey(pr))?.isRunning === true ||
      now - Date.parse(glance.updated_on) < LIVELY_MS;
    const lively = orderedPrs.filter(isLively).slice(0, LIVELY_A_POLL);
    const quiet = orderedPrs.filter((one) => !isLively(one)).slice(0, QUIET_A_POLL);
    for (const { pr, glance } of [...lively, ...quiet])
      await this.#lookAt(pr, readTextAt(glance, 'source', 'commit', 'hash'), now);
  }

  async #lookAt(pr: PrAddress, head: string, now: number): Promise<void> {
    try {
      const builds = pickNewestBuilds(
        await readBitbucketBuilds(this.#client, pr.repo, pr.number),
        head,
      );
      const before = this.#watched.get(toBuildsKey(pr));
      const isChanged = before !== undefined && before.builds !== fingerprintBuilds(builds);
      this.#put(pr, builds, now, (before?.turn ?? 0) + Number(isChanged));
    } catch (error) {
      if (!isOfPart(error)) throw error;
      // Reported when the pull request is read, which happens now.
      const before = this.#watched.get(toBuildsKey(pr));
      if (before)
        this.#watched.set(toBuildsKey(pr), { ...before, turn: before.turn + 1, lookedAt: now });
    }
  }

  #put(pr: PrAddress, builds: readonly BuildStatus[], now: number, turn: number): void {
    const isRunning = builds.some(({ state }) => state === 'INPROGRESS');
    this.#watched.set(toBuildsKey(pr), {
      builds: fingerprintBuilds(builds),
      isRunning,
      turn,
      lookedAt: now,
    });
  }
}
