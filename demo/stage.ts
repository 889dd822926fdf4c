import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '../src/api/client/client.ts';
import { followJob } from '../src/api/client/stream.ts';
import type { LogFrame, StateFrame } from '../src/contract/schema/job/frames.ts';
import type { RunnerProcess } from './runnerProcess.ts';
import type { Screen } from './screen.ts';

export interface PlayedDemo {
  jobId: string;
  ok: boolean;
  /** In a few words, without the time. */
  headline: string;
  details: string;
  lookFurther: string[];
  outcome: Record<string, unknown>;
}

const LOOK_EVERY_MS = 100;
/** How long the runner may take to say where its jobs stand. */
const STANDING_MS = 5_000;

export class Stage {
  readonly runner: RunnerProcess;
  readonly screen: Screen;
  /** Last frame seen, by job: a crash shows nothing twice. */
  readonly #seen = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #following = new AbortController();
  /** Epoch ms of the crash to come; null = none. */
  #crashAt: number | null = null;

  constructor(runner: RunnerProcess, screen: Screen) {
    this.runner = runner;
    this.screen = screen;
  }

  get client(): Client {
    return createClient({ baseUrl: this.runner.url, token: this.runner.token });
  }

  /** The runner is killed once, at some moment within `ms` from now. */
  crashWithin(ms: number): void {
    this.#crashAt = Date.now() + Math.random() * ms;
  }

  /**
   * Shows what a job reports from now on, under a name where there are several. Does nothing when
   * the job is followed already.
   */
  follow(jobId: string, name = ''): void {
    if (this.#names.has(jobId)) return;
    this.#names.set(jobId, name);
    this.#listen(jobId, name);
  }

  /**
   * Calls `look` again and again until it answers something other than null and a planned crash has
   * happened. Throws after `limitMs`, also when a look does not come back, and says where the jobs
   * stand.
   */
  async until<T>(limitMs: number, look: (client: Client) => Promise<T | null>): Promise<T> {
    const over = new AbortController();
    const { signal } = over;
    const late = wait(limitMs, undefined, { signal }).then(async () => {
      throw new Error(
        `the demo did not end within ${limitMs / 1000} s:\n${await this.#standing()}`,
      );
    });
    try {
      return await Promise.race([this.#lookAgain(look, signal), late]);
    } finally {
      over.abort();
    }
  }

  async #lookAgain<T>(
    look: (client: Client) => Promise<T | null>,
    signal: AbortSignal,
  ): Promise<T> {
    for (;;) {
      if (this.#crashAt !== null && Date.now() >= this.#crashAt) await this.#crash();
      const result = await look(this.client);
      if (result !== null && this.#crashAt === null) return result;
      await wait(LOOK_EVERY_MS, undefined, { signal });
    }
  }

  async #standing(): Promise<string> {
    const states = [...this.#names].map(async ([jobId, name]) => {
      const { status, parked } = await this.client.job(jobId);
      return `${name} ${jobId} is ${status}${parked === null ? '' : `, parked: ${parked.reason}`}`.trim();
    });
    const silent = wait(STANDING_MS, ['the runner does not answer'], { ref: false });
    const lines = await Promise.race([Promise.all(states), silent]).catch((error: unknown) => [
      String(error),
    ]);
    return lines.join('\n');
  }

  close(): void {
    this.#following.abort();
  }

  async #crash(): Promise<void> {
    this.#crashAt = null;
    this.#following.abort();
    await this.runner.kill();
    this.screen.crash('kill -9: the runner is gone; a new one starts on the same home');
    await this.runner.start();
    this.#following = new AbortController();
    for (const [jobId, name] of this.#names) this.#listen(jobId, name);
  }

  #listen(jobId: string, name: string): void {
    void followJob({
      client: this.client,
      jobId,
      after: this.#seen.get(jobId) ?? 0,
      signal: this.#following.signal,
      onFrame: (frame) => {
        this.#seen.set(jobId, Math.max(this.#seen.get(jobId) ?? 0, frame.n));
        if (frame.kind === 'state') this.screen.state(frame.data as StateFrame, name);
        if (frame.kind === 'log') this.screen.log(frame.data as LogFrame, name);
      },
    }).catch(() => undefined);
  }
}
