import type { Clock } from '../../../src/base/time/clock.ts';

/** Longest timeout of Node, ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's clock, which can leap ahead: for a month of a runner whose work takes real time. */
export class LeapingClock implements Clock {
  #ahead = 0;
  readonly #armed = new Set<() => void>();

  readonly now = (): number => Date.now() + this.#ahead;

  readonly at = (atMs: number, run: () => void): (() => void) => {
    let handle: NodeJS.Timeout | undefined;
    const arm = () => {
      clearTimeout(handle);
      const remainingMs = Math.max(0, atMs - this.now());
      handle = setTimeout(remainingMs > LONGEST_MS ? arm : fire, Math.min(remainingMs, LONGEST_MS));
    };
    const cancel = () => {
      clearTimeout(handle);
      this.#armed.delete(arm);
    };
    const fire = () => {
      cancel();
      run();
    };
    this.#armed.add(arm);
    arm();
    return cancel;
  };

  /** What falls due on the way runs as soon as the process comes to it. */
  leap(ms: number): void {
    this.#ahead += ms;
    for (const arm of [...this.#armed]) arm();
  }
}
