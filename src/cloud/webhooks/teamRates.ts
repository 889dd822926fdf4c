import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';

const SECOND_MS = 1_000;
/** Deliveries of one team that a node takes in a second, in the long run, and at the same time. */
export const DELIVERIES_PER_SECOND = 50;
export const DELIVERY_BURST = 500;

/** Limits the genuine deliveries of each team. A sender that is refused sends again later. */
export class TeamRates {
  readonly #clock: Clock;
  readonly #teams = new Map<string, { left: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws SvcError `rate-limited`. */
  take(teamId: string): void {
    const now = this.#clock.now();
    const { left, at } = this.#teams.get(teamId) ?? { left: DELIVERY_BURST, at: now };
    const refill = (Math.max(0, now - at) / SECOND_MS) * DELIVERIES_PER_SECOND;
    const filled = Math.min(DELIVERY_BURST, left + refill);
    this.#teams.set(teamId, { left: filled >= 1 ? filled - 1 : filled, at: now });
    if (filled < 1)
      throw new SvcError(
        'rate-limited',
        `The team gets more than ${DELIVERIES_PER_SECOND} webhooks a second. Send this one again later.`,
        { data: { retryAfterSeconds: 1 } },
      );
  }
}
