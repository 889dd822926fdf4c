import type { MayAct } from '../../../src/base/concurrency/mayAct.ts';

/** A gate that is shut until the test opens it; notes when it was asked. */
export class HeldAct {
  asked = 0;
  #isOpen = false;
  #whenAsked: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  readonly mayAct: MayAct = () => {
    this.asked += 1;
    for (const tell of this.#whenAsked.splice(0)) tell();
    if (this.#isOpen) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  };

  /** Resolves at the next question, or when the work is over without one. */
  async nextAsk(work: Promise<unknown>): Promise<void> {
    await Promise.race([work, new Promise<void>((resolve) => this.#whenAsked.push(resolve))]);
  }

  open(): void {
    this.#isOpen = true;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  shut(): void {
    this.#isOpen = false;
  }
}
