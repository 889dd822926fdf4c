import { DELTA_CHARS, DELTA_MS } from '../base/limits/intakeLimits.ts';
import type { Clock } from '../base/time/clock.ts';

type Kind = 'token' | 'thinking';

/**
 * Joins parts of an answer: the first after a pause is sent at once; those that follow within
 * {@link DELTA_MS} are sent together, or as soon as they are {@link DELTA_CHARS} long.
 */
export class Deltas {
  readonly #clock: Clock;
  readonly #send: (frame: { type: Kind; text: string }) => void;
  #held: { type: Kind; text: string } | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, send: (frame: { type: Kind; text: string }) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  push(type: Kind, text: string): void {
    if (this.#held && this.#held.type !== type) this.flush();
    const heldDelta = this.#held;
    if (heldDelta) {
      heldDelta.text += text;
      if (heldDelta.text.length >= DELTA_CHARS) this.flush();
      return;
    }
    this.#held = { type, text };
    const now = this.#clock.now();
    const due = this.#sentAt + DELTA_MS;
    if (now >= due || text.length >= DELTA_CHARS) this.flush();
    else this.#cancel = this.#clock.at(due, () => this.flush());
  }

  flush(): void {
    this.#cancel();
    const heldDelta = this.#held;
    if (!heldDelta) return;
    this.#held = null;
    this.#sentAt = this.#clock.now();
    this.#send(heldDelta);
  }
}
