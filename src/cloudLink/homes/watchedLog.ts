import type { ChangedActor, HomeLog, LogEntry } from '../../kernel/sqlite/log/homeLog.ts';
import type { Clock } from '../../base/time/clock.ts';

/** A log that also says what an earlier process has left in it. */
export interface WatchableLog extends HomeLog {
  readonly unsent: { bytes: number };
  waitFor(n: number, signal: AbortSignal): Promise<boolean>;
}

interface WaitingEntry {
  sentAt: number;
  bytes: number;
}

/** A home's log that can say what waits in it, and since when. */
export class WatchedLog implements HomeLog {
  readonly #log: WatchableLog;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onAcknowledged: () => void;
  /** Entries that the control plane is not known to have, oldest first. */
  readonly #waiting = new Set<WaitingEntry>();
  #bytes = 0;
  #last: Promise<undefined> = Promise.resolve(undefined);

  /** `onAcknowledged`: called after each acknowledgement. */
  constructor(log: WatchableLog, clock: Pick<Clock, 'now'>, onAcknowledged: () => void) {
    this.#log = log;
    this.#clock = clock;
    this.#onAcknowledged = onAcknowledged;
    // Entries of an earlier process.
    if (log.head > log.acknowledged)
      void this.#watch(log.unsent.bytes, log.waitFor(log.head, new AbortController().signal));
  }

  get head(): number {
    return this.#log.head;
  }

  get acknowledged(): number {
    return this.#log.acknowledged;
  }

  /** Bytes of the entries that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** When the oldest entry that waits was sent, epoch ms; null = none waits. */
  get waitsSince(): number | null {
    const [oldest] = this.#waiting;
    return oldest?.sentAt ?? null;
  }

  send(entry: LogEntry, changed?: readonly ChangedActor[]): Promise<undefined> {
    return this.#watch(entry.body.length, this.#log.send(entry, changed));
  }

  #watch(bytes: number, arrival: Promise<unknown>): Promise<undefined> {
    const waiting = { sentAt: this.#clock.now(), bytes };
    this.#waiting.add(waiting);
    this.#bytes += bytes;
    this.#last = arrival.then(() => {
      this.#waiting.delete(waiting);
      this.#bytes -= bytes;
      this.#onAcknowledged();
      return undefined;
    });
    return this.#last;
  }

  /** Undefined = the control plane has all that was made so far; a promise resolves when it has. */
  awaitAcknowledged(): Promise<undefined> | undefined {
    // Entries are acknowledged in their order.
    return this.#waiting.size === 0 ? undefined : this.#last;
  }
}
