import { describeLowDisk } from '../../base/limits/findLowDisk.ts';
import type { SessionEvent } from '../../contract/session/executor.ts';
import type { DiskWatch } from '../../jobs/slots/diskWatch.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { CallWatch } from '../../executors/tools/host/phaseTools.ts';

/**
 * Delay between the end of a call of svc's tools and the end of its session, ms, for the answer to
 * reach the agent.
 */
const ANSWER_MS = 250;

/**
 * Ends a session when a disk is low: after the running tool call, or at once if hardly anything is
 * left. A session without a running call continues until the end of its next one.
 */
export class SessionDisk {
  readonly #disk: DiskWatch;
  readonly #clock: Clock;
  readonly #cut = new AbortController();
  readonly #unsubscribe: () => void;
  /** Calls reported by the executor, by id, and the number of calls in svc's tool server. */
  readonly #open = new Set<string>();
  #served = 0;
  #cancelTimer = () => {};
  #reason: string | null = null;

  constructor(disk: DiskWatch, clock: Clock) {
    this.#disk = disk;
    this.#clock = clock;
    this.#unsubscribe = disk.onChange((low) => {
      if (low?.urgent) this.#end();
    });
  }

  /** Aborted when the session has to end. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Why it has to end or may not begin; null = no reason. */
  get reason(): string | null {
    return this.#reason;
  }

  async begins(): Promise<boolean> {
    const low = await this.#disk.check();
    this.#reason = low && describeLowDisk(low);
    return low === null;
  }

  onEvent(event: SessionEvent): void {
    if (event.type !== 'tool') return;
    if (event.at === 'start') this.#open.add(event.id);
    else if (this.#open.delete(event.id) && this.#isDue) this.#end();
  }

  /**
   * Also watches calls of svc's tools, for executors that report none. `hold` makes further calls
   * wait.
   */
  watchCalls(calls: CallWatch, hold: () => void): CallWatch {
    return {
      began: () => {
        this.#served += 1;
        calls.began();
      },
      onEnd: () => {
        this.#served -= 1;
        calls.onEnd();
        if (!this.#isDue) return;
        hold();
        this.#cancelTimer();
        this.#cancelTimer = this.#clock.at(this.#clock.now() + ANSWER_MS, () => this.#end());
      },
      onLost: () => calls.onLost(),
    };
  }

  end(): void {
    this.#unsubscribe();
    this.#cancelTimer();
  }

  /** Whether a disk is low and no call is running. */
  get #isDue(): boolean {
    return this.#disk.low !== null && this.#open.size === 0 && this.#served === 0;
  }

  #end(): void {
    this.#reason ??= this.#disk.reason ?? 'a disk was low';
    this.#cut.abort();
  }
}
