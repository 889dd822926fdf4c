import { readUnattendedLimit, type JobContext } from '../../../machines/index.ts';
import type { SessionEvent } from '../../contract/session/executor.ts';
import type { Clock } from '../../shared/time/clock.ts';

/**
 * How long a session may take to come to its next boundary, a call that is over, after the time of
 * a job that works unattended, ms; then it is interrupted wherever it is.
 */
const BOUNDARY_WAIT_MS = 120_000;

/** The end of one session's time, where its job works unattended until then. */
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

  /** Whether no session may begin any more. */
  get isOver(): boolean {
    return this.#until !== null && this.#clock.now() >= this.#until;
  }

  /** Takes what the executor tells: a call of a tool or of the model that is over is a boundary. */
  onEvent(event: SessionEvent): void {
    const isBoundary = event.type === 'usage' || (event.type === 'tool' && event.at === 'end');
    if (isBoundary && this.isOver) this.#cut.abort();
  }

  /** The session has ended. */
  over(): void {
    this.#cancelTimer();
  }
}
