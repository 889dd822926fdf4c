import type { Clock } from '../../base/time/clock.ts';

/** Silence of the model after which the log reports it, ms; doubled after each line. */
export const SILENCE_MS = 60_000;

/**
 * Reports that nothing comes from a working agent: programs wait for their model, and retry,
 * without a word.
 */
export class Silence {
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  #since = 0;
  #cancel = () => {};

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  heard(): void {
    this.stop();
    this.#since = this.#clock.now();
    this.#arm(SILENCE_MS);
  }

  /** Nothing is waited for: no turn runs, or a tool is working. */
  stop(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  #arm(ms: number): void {
    this.#cancel = this.#clock.at(this.#since + ms, () => {
      this.#say(
        `Nothing has come from the agent's model for ${ms / 1000} s; the agent waits, or tries again by itself.`,
      );
      this.#arm(ms * 2);
    });
  }
}
