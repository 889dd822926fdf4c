import type { Clock } from '../../../base/time/clock.ts';

/** How long the webhooks of a forge count after the last one came, ms. */
const RECENT_MS = 60 * 60_000;
/** Between two polls of a forge whose webhooks come, ms: they report everything at once, but one may be lost. */
export const WEBHOOK_POLL_MS = 10 * 60_000;

/** Polls a forge less often while the control plane forwards its webhooks. */
export class WebhookPace {
  readonly #clock: Clock;
  /** Called when the interval of a forge has changed. */
  readonly #onChange: () => void;
  /** By forge: what ends the time in which its webhooks count. */
  readonly #recent = new Map<string, () => void>();

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** A webhook of the forge has come. */
  note(forge: string): void {
    const isNew = !this.#recent.has(forge);
    this.#recent.get(forge)?.();
    const end = (): void => {
      this.#recent.delete(forge);
      this.#onChange();
    };
    this.#recent.set(forge, this.#clock.at(this.#clock.now() + RECENT_MS, end));
    if (isNew) this.#onChange();
  }

  /** The interval of a forge that is polled this often without webhooks, ms. */
  slow(forge: string, intervalMs: number): number {
    return this.#recent.has(forge) ? Math.max(intervalMs, WEBHOOK_POLL_MS) : intervalMs;
  }

  stop(): void {
    for (const cancel of this.#recent.values()) cancel();
    this.#recent.clear();
  }
}
