import { monotonicMs } from '../monotonic.ts';

/** When continuations began, kept until they are asked for. */
export class Begun {
  readonly #begun: [id: string, at: number][] = [];
  #enough = (): void => {};

  note(id: string): void {
    this.#begun.push([id, monotonicMs()]);
    this.#enough();
  }

  /** The first `count` that were not asked for yet, as soon as there are so many. */
  async take(count: number): Promise<[id: string, at: number][]> {
    await new Promise<void>((resolve) => {
      this.#enough = () => {
        if (this.#begun.length >= count) resolve();
      };
      this.#enough();
    });
    return this.#begun.splice(0, count);
  }
}
