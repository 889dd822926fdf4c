import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';

const SECOND_MS = 1_000;
/** From so many keys on, those that are not limited at the moment are forgotten. */
const MOST_KEYS = 10_000;

interface Rate {
  /** In the long run. */
  perSecond: number;
  /** At the same time. */
  burst: number;
  /** What a refused caller gets as the reason. */
  refusal: string;
}

/** Genuine deliveries of one team that a node takes. */
export const DELIVERY_RATE: Rate = {
  perSecond: 50,
  burst: 500,
  refusal: 'The team gets more than 50 webhooks a second. Send this one again later.',
};

/** Requests of one person: as many at once as in a minute, so that a page that reads much is not cut. */
export const createRequestRate = (perMinute: number): Rate => ({
  perSecond: perMinute / 60,
  burst: perMinute,
  refusal: `You made more than ${perMinute} requests in a minute. Wait as long as Retry-After says. To follow jobs, use a stream, which is one request.`,
});

/** Limits how often something happens, by the key of who does it, such as a team. Of this node alone. */
export class RateLimits {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #rate: Rate;
  readonly #keys = new Map<string, { left: number; at: number }>();

  constructor(clock: Pick<Clock, 'now'>, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Takes one of the key. Throws SvcError `rate-limited`, which says when to try again. */
  take(key: string): void {
    const waitMs = this.#measureLeft(key);
    if (this.#keys.size >= MOST_KEYS) this.#forgetFull();
    this.#keys.set(key, { left: waitMs >= 1 ? waitMs - 1 : waitMs, at: this.#clock.now() });
    if (waitMs >= 1) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - waitMs) / this.#rate.perSecond));
    throw new SvcError('rate-limited', this.#rate.refusal, { data: { retryAfterSeconds } });
  }

  #measureLeft(key: string): number {
    const { perSecond, burst } = this.#rate;
    const now = this.#clock.now();
    const { left, at } = this.#keys.get(key) ?? { left: burst, at: now };
    return Math.min(burst, left + (Math.max(0, now - at) / SECOND_MS) * perSecond);
  }

  #forgetFull(): void {
    for (const key of [...this.#keys.keys()])
      if (this.#measureLeft(key) >= this.#rate.burst) this.#keys.delete(key);
  }
}
