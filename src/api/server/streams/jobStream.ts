import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/time/clock.ts';
import type { Frame, Runner } from '../../../contract/runner/runner.ts';
import type { ByeFrame, GapFrame } from '../../../contract/schema/job/frames.ts';
import type { OpenStream, OpenStreams } from './openStreams.ts';

/** Wait before a client that lost its connection asks again, ms; sent as `retry:`. */
export const RETRY_MS = 2_000;
/** Between two comments that keep the connection from being taken for dead, ms. */
export const HEARTBEAT_MS = 15_000;
/** Most bytes that wait for a slow reader; while more wait, nothing further is read for it. */
export const MAX_WAITING_BYTES = 1024 * 1024;
/** A reader that does not take what waits for it within this time is cut, ms. */
export const STALL_MS = 10_000;
/** Between the last event and the end of a connection whose reader does not take it, ms. */
const LINGER_MS = 5_000;

interface JobStreamOptions {
  runner: Pick<Runner, 'subscribe'>;
  clock: Clock;
  streams: OpenStreams;
  jobId: string;
  after: number;
  /** Number of the frame after which to end; null = when the job ends. */
  until: number | null;
  res: ServerResponse;
}

/**
 * One named event without a number. JSON has no raw line breaks, so it is always one
 * line.
 */
const formatNamedEvent = (name: string, data: ByeFrame | GapFrame): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Sends a job's frames to one reader as server-sent events, each once and in order. What waits for
 * a slow reader is bounded: it is read again from the store when there is room, and a reader that
 * takes nothing is cut after a `gap`.
 */
export class JobStream implements OpenStream {
  readonly #options: JobStreamOptions;
  #sent: number;
  /** Changes with every subscription: what an earlier one still delivers is dropped. */
  #turn = 0;
  #unsubscribe: (() => void) | undefined;
  #cancelHeartbeat: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;
  #over = false;

  constructor(options: JobStreamOptions) {
    this.#options = options;
    this.#sent = options.after;
  }

  /** Head must have been set on the response. */
  start(): void {
    const { res, streams } = this.#options;
    res.on('close', () => {
      this.#stop();
      this.#cancelDeadline();
      streams.remove(this);
    });
    res.on('drain', () => this.#resume());
    res.flushHeaders();
    res.write(`retry: ${RETRY_MS}\n\n`);
    this.#beat();
    streams.add(this);
    this.#subscribe();
    this.#endOfPast();
  }

  end(reason: 'ended' | 'stopping'): void {
    this.#finish(formatNamedEvent('bye', { reason }));
  }

  #subscribe(): void {
    if (this.#over) return;
    const { runner, jobId } = this.#options;
    this.#turn += 1;
    const turn = this.#turn;
    const unsubscribe = runner.subscribe(jobId, this.#sent, {
      frames: (frames) => {
        if (turn !== this.#turn || this.#over) return;
        this.#send(frames);
        this.#endOfPast();
      },
      bye: (reason) => {
        if (turn === this.#turn) this.end(reason);
      },
    });
    // Frames of the past may have come during the call, and may have been too many already.
    if (turn === this.#turn && !this.#over) this.#unsubscribe = unsubscribe;
    else unsubscribe();
  }

  #endOfPast(): void {
    const { until } = this.#options;
    if (until !== null && this.#sent >= until)
      this.#finish(formatNamedEvent('bye', { reason: 'caught-up' }));
  }

  #send(frames: readonly Frame[]): void {
    const { res } = this.#options;
    for (const { n, kind, data } of frames) {
      if (n <= this.#sent) continue;
      if (n > this.#sent + 1)
        res.write(formatNamedEvent('gap', { reason: 'trimmed', after: this.#sent, next: n }));
      res.write(`id: ${n}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
      this.#sent = n;
      if (res.writableLength > MAX_WAITING_BYTES) {
        this.#wait();
        return;
      }
    }
  }

  /** Unsubscribes until the reader has taken what waits for it. */
  #wait(): void {
    const { clock } = this.#options;
    this.#unfollow();
    this.#cancelDeadline = clock.at(clock.now() + STALL_MS, () =>
      this.#finish(
        formatNamedEvent('gap', { reason: 'slow-reader', after: this.#sent, next: null }),
      ),
    );
  }

  #resume(): void {
    if (this.#over || this.#unsubscribe) return;
    this.#cancelDeadline();
    this.#subscribe();
  }

  #beat(): void {
    const { clock, res } = this.#options;
    this.#cancelHeartbeat = clock.at(clock.now() + HEARTBEAT_MS, () => {
      // A reader that takes nothing needs no signs of life, and they would pile up.
      if (this.#unsubscribe) res.write(': still here\n\n');
      this.#beat();
    });
  }

  #finish(last: string): void {
    if (this.#over) return;
    this.#stop();
    this.#cancelDeadline();
    const { clock, res } = this.#options;
    res.end(last);
    this.#cancelDeadline = clock.at(clock.now() + LINGER_MS, () => res.destroy());
  }

  #unfollow(): void {
    this.#turn += 1;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #stop(): void {
    this.#over = true;
    this.#cancelHeartbeat();
    this.#unfollow();
  }
}
