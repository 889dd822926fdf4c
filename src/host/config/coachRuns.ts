import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { ConfigService } from './configService.ts';

/** How long jobs that come together are collected before they are written into the file, ms. */
export const COLLECT_MS = 1_000;
/** The file is written at most once in this time, ms. */
export const WRITE_MS = 60_000;
const PAGE = 100;
/** Most jobs that are counted at once; far beyond what the learning phase of a team needs. */
const MOST_COUNTED = 1_000;
/** How often the file may change under our hands before it is left to the next job. */
const ATTEMPTS = 3;

/** The keys that svc itself counts up: no change that a person has made. */
const COUNTED: readonly string[] = ['coachMode.totalRuns', 'coachMode.lastRunAt'];

/** Of changed keys those that a person has changed. */
export const dropCountedKeys = (keys: readonly string[]): string[] =>
  keys.filter((key) => !COUNTED.includes(key));

/** A job, as far as it is counted. */
export interface DispatchedJob {
  /** Epoch ms. */
  createdAt: number;
  /** Set for sub-runs, which do not count: a campaign counts once. */
  parent: string | null;
}

export interface CoachRunsOptions {
  service: Pick<ConfigService, 'read' | 'change'>;
  clock: Clock;
  jobs(offset: number, limit: number): readonly DispatchedJob[];
  /** The file could not be changed; it is tried again with the next job. */
  onError(error: unknown): void;
}

/**
 * Keeps `coachMode.totalRuns` and `lastRunAt` of the configuration file. Counts the stored jobs:
 * those newer than `lastRunAt` are added, and both keys are written together. So no job is counted
 * twice, and nothing waits for the count. The file is written at most once a minute and at the stop of the runner. A
 * crash leaves it behind by a minute at most, until the next runner counts what is missing.
 */
export class CoachRuns {
  readonly #options: CoachRunsOptions;
  #cancel: (() => void) | null = null;
  /** When the file may be written next, epoch ms. */
  #next = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: CoachRunsOptions) {
    this.#options = options;
  }

  jobCreated(): void {
    const { clock } = this.#options;
    const at = Math.max(clock.now() + COLLECT_MS, this.#next);
    this.#cancel ??= clock.at(at, () => {
      this.#next = clock.now() + WRITE_MS;
      void this.settle();
    });
  }

  /** Writes what is not written yet. Never rejects. */
  settle(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#last = this.#last
      .then(() => this.#count())
      .catch((error: unknown) => this.#options.onError(error));
    return this.#last;
  }

  async #count(): Promise<void> {
    const { service } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const { etag, reply } = await service.read();
      const { totalRuns, lastRunAt } = Object(reply.config.coachMode);
      const lastRun = Date.parse(lastRunAt ?? '');
      const { count, newest } = this.#youngerThan(
        Number.isNaN(lastRun) ? Number.NEGATIVE_INFINITY : lastRun,
      );
      if (newest === null) return;
      // Without a time it is unknown which jobs the number includes: it is at least that many.
      const total = Number.isNaN(lastRun)
        ? Math.max(Number(totalRuns), count)
        : Number(totalRuns) + count;
      try {
        await service.change(
          { coachMode: { totalRuns: total, lastRunAt: new Date(newest).toISOString() } },
          etag,
        );
        return;
      } catch (error) {
        if (
          !(error instanceof SvcError) ||
          error.code !== 'precondition-failed' ||
          attempt === ATTEMPTS
        )
          throw error;
      }
    }
  }

  #youngerThan(runTime: number): { count: number; newest: number | null } {
    let count = 0;
    let newest: number | null = null;
    for (let offset = 0; offset < MOST_COUNTED; offset += PAGE) {
      const page = this.#options.jobs(offset, PAGE);
      for (const { createdAt, parent } of page) {
        if (createdAt <= runTime) return { count, newest };
        if (parent !== null) continue;
        newest ??= createdAt;
        count += 1;
      }
      if (page.length < PAGE) break;
    }
    return { count, newest };
  }
}
