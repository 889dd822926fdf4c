import type { Clock } from '../../base/time/clock.ts';

interface Moment {
  wall: number;
  monotonic: number;
}

/** Whether something that is renewed still holds, by two clocks: one jumps when it is set, the other one stops in a suspend. */
export class HeldTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #monotonic: () => number;
  readonly #ms: number;
  #renewed: Moment | null = null;
  #since: number | null = null;

  constructor(clock: Pick<Clock, 'now'>, monotonic: () => number, ms: number) {
    this.#clock = clock;
    this.#monotonic = monotonic;
    this.#ms = ms;
  }

  /** The moment from which a renewal that is now sent counts. */
  begin(): Moment {
    return { wall: this.#clock.now(), monotonic: this.#monotonic() };
  }

  renew(moment: Moment): void {
    if (!this.holds()) this.#since = this.#clock.now();
    this.#renewed = moment;
  }

  end(): void {
    this.#renewed = null;
  }

  holds(): boolean {
    if (this.#renewed === null) return false;
    const { wall, monotonic } = this.begin();
    const passedMs = wall - this.#renewed.wall;
    // A clock that was set back says nothing; the other one does.
    return passedMs < this.#ms && monotonic - this.#renewed.monotonic < this.#ms;
  }

  /** Since when it holds without a break, epoch ms; null = it does not. */
  get since(): number | null {
    return this.holds() ? this.#since : null;
  }
}
