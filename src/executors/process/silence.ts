import type { Clock } from '../../shared/time/clock.ts';

/** Silence of an agent's model after which the log reports it, ms; doubled after each line. */
export const SILENCE_MS = 60_000;

/**
 * Reports that nothing comes of an agent that works: programs wait for their model, and try it
 * again, without a word.
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

  /** Something has come, or the model is waited for from now on. */
  heard(): void {
    this.stop();
    this.#since = this.#clock.now();
    this.#arm(SILENCE_MS);
  }

  /** Nothing is waited for: no turn runs, or a tool is at work. */
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
