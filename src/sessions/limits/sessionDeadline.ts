import { readUnattendedLimit, type JobContext } from '../../../machines/index.ts';
import type { SessionEvent } from '../../contract/session/executor.ts';
import type { Clock } from '../../base/time/clock.ts';

/**
 * How long a session may take to reach its next boundary (the end of a call) after the time of an
 * unattended job, ms; then it is interrupted.
 */
const BOUNDARY_WAIT_MS = 120_000;

export class SessionDeadline {
  readonly #until: number | null;
  readonly #clock: Clock;
  readonly #cut = new AbortController();
  readonly #cancelTimer: () => void;

  constructor({ params }: Pick<JobContext, 'params'>, clock: Clock) {
    this.#until = readUnattendedLimit(params);
    this.#clock = clock;
    this.#cancelTimer =
      this.#until === null
        ? () => {}
        : clock.at(this.#until + BOUNDARY_WAIT_MS, () => this.#cut.abort());
  }

  /** Aborted when the session has to end. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  get isOver(): boolean {
    return this.#until !== null && this.#clock.now() >= this.#until;
  }

  /** Takes the executor's events: the end of a tool or model call is a boundary. */
  onEvent(event: SessionEvent): void {
    const isBoundary = event.type === 'usage' || (event.type === 'tool' && event.at === 'end');
    if (isBoundary && this.isOver) this.#cut.abort();
  }

  end(): void {
    this.#cancelTimer();
  }
}
