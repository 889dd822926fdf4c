/** Makes calls wait while it is held. */
export class CallGate {
  #released: Promise<void> | null = null;
  #release: () => void = () => {};

  hold(): void {
    this.#released ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release();
    this.#released = null;
  }

  async open(): Promise<void> {
    // It may be held again before this continues.
    while (this.#released !== null) await this.#released;
  }
}
