import { LEASE_SHARE } from '../../contract/channel/limits.ts';

/** Two clocks of the machine, ms. Neither can be set by a person or by NTP. */
export interface LeaseClocks {
  /** Counts while the machine sleeps. */
  boot(): number;
  /** Never goes back, but stops on Linux while the machine sleeps. */
  monotonic(): number;
}

/** A moment on both clocks. */
export type LeaseMark = Readonly<Record<keyof LeaseClocks, number>>;

/**
 * Until when a runner may act on the world: for a part of the takeover window after its last answered beat was sent. Of
 * both clocks the one counts on which more time has passed. Nothing has to happen for it to end, so a process that was
 * stopped or slept finds it gone at its first look.
 */
export class Lease {
  readonly #clocks: LeaseClocks;
  /** The window that the control plane waits before another runner may take over, ms; null = not known. */
  #windowMs: number | null = null;
  /** When the beat was sent that the lease counts from. */
  #from: LeaseMark | null = null;
  /** Waits for the next answer. */
  #waiting: (() => void)[] = [];

  constructor(clocks: LeaseClocks) {
    this.#clocks = clocks;
  }

  mark(): LeaseMark {
    return { boot: this.#clocks.boot(), monotonic: this.#clocks.monotonic() };
  }

  /**
   * The control plane names its window. A shorter one counts from now on; a longer one, which it does not yet keep to, only
   * from the next answered beat on: see `renew`.
   */
  narrow(windowMs: number): void {
    this.#windowMs = Math.min(windowMs, this.#windowMs ?? windowMs);
  }

  /** A beat was answered: `sentAt` is when it was sent, `windowMs` what this runner had confirmed by then. */
  renew(sentAt: LeaseMark, windowMs: number): void {
    // Answers of two sockets may come in any order.
    if (this.#from !== null && this.#measureSince(sentAt) > this.#measureSince(this.#from)) return;
    this.#from = sentAt;
    this.#windowMs = windowMs;
    if (!this.isHeld) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** The home was given up, or another runner has it. */
  end(): void {
    this.#from = null;
  }

  get isHeld(): boolean {
    return this.leftMs > 0;
  }

  /** How long it still lasts, ms; 0 = it is over. */
  get leftMs(): number {
    if (this.#from === null || this.#windowMs === null) return 0;
    return Math.max(0, LEASE_SHARE * this.#windowMs - this.#measureSince(this.#from));
  }

  /** Resolves with the next answer that renews it. */
  awaitRenewal(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #measureSince({ boot, monotonic }: LeaseMark): number {
    const now = this.mark();
    return Math.max(now.boot - boot, now.monotonic - monotonic);
  }
}
