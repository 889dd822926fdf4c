import type { Clock } from '../../../base/time/clock.ts';
import type { FoundRunner } from './findRunner.ts';

/** How long it is remembered which runner has a job, ms: no longer than the list of a team may be behind. */
export const REMEMBERED_MS = 1_000;
/** Most jobs that are remembered. */
const MOST_PLACES = 5_000;

/** Which runner has a job, for the many requests of one page. */
export class JobPlaces {
  readonly #clock: Clock;
  readonly #places = new Map<string, { runner: FoundRunner; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The runner that was found last, or what `find` finds. What it throws is not remembered. */
  async find(
    teamId: string,
    jobId: string,
    find: () => Promise<FoundRunner>,
  ): Promise<FoundRunner> {
    const key = `${teamId}/${jobId}`;
    const cachedPlace = this.#places.get(key);
    const now = this.#clock.now();
    if (cachedPlace !== undefined && cachedPlace.until > now) return cachedPlace.runner;
    const runner = await find();
    if (this.#places.size >= MOST_PLACES) this.#places.clear();
    this.#places.set(key, { runner, until: now + REMEMBERED_MS });
    return runner;
  }
}
