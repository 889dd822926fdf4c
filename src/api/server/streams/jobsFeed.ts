import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/time/clock.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import type { ByeFrame, GapFrame } from '../../../contract/schema/job/frames.ts';
import { HEARTBEAT_MS, MAX_WAITING_BYTES, RETRY_MS } from './jobStream.ts';
import type { OpenStream, OpenStreams } from './openStreams.ts';

interface JobsFeedOptions {
  runner: Pick<Runner, 'watchJobs'>;
  clock: Clock;
  streams: OpenStreams;
  res: ServerResponse;
}

/**
 * Sends every change of the job list to one reader. Nothing is repeated: a reader that was
 * disconnected, or cut off for being too slow, opens the feed again and then reads the list.
 */
export class JobsFeed implements OpenStream {
  readonly #options: JobsFeedOptions;
  #unwatch: () => void = () => undefined;
  #cancelHeartbeat: () => void = () => undefined;

  constructor(options: JobsFeedOptions) {
    this.#options = options;
  }

  /** Head must have been set on the response. */
  start(): void {
    const { res, streams, runner } = this.#options;
    res.on('close', () => {
      this.#stop();
      streams.remove(this);
    });
    res.flushHeaders();
    res.write(`retry: ${RETRY_MS}\n\n`);
    this.#beat();
    this.#unwatch = runner.watchJobs((jobs) => {
      for (const job of jobs) this.#send('job', job);
      if (res.writableLength > MAX_WAITING_BYTES)
        this.#finish('gap', { reason: 'slow-reader', after: 0, next: null });
    });
    streams.add(this);
  }

  end(reason: ByeFrame['reason']): void {
    this.#finish('bye', { reason });
  }

  #send(event: string, data: object): void {
    this.#options.res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #beat(): void {
    const { clock, res } = this.#options;
    this.#cancelHeartbeat = clock.at(clock.now() + HEARTBEAT_MS, () => {
      res.write(': still here\n\n');
      this.#beat();
    });
  }

  #finish(event: 'bye' | 'gap', data: ByeFrame | GapFrame): void {
    if (this.#options.res.writableEnded) return;
    this.#stop();
    this.#send(event, data);
    this.#options.res.end();
  }

  #stop(): void {
    this.#cancelHeartbeat();
    this.#unwatch();
  }
}
