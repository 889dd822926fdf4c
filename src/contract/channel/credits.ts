/** How many parts the source of a reply may send: its reader gives credits, so a slow reader stops the source. */
export class Credits {
  #left: number;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(first: number) {
    this.#left = first;
  }

  add(parts: number): void {
    this.#left += parts;
    this.#wake?.();
  }

  /** No further part is wanted. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Waits for a credit and uses it up; false = no further part is wanted. One caller at a time. */
  async take(): Promise<boolean> {
    while (this.#left === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#wake = undefined;
    if (this.#closed) return false;
    this.#left -= 1;
    return true;
  }
}
