import type { WatchableLog } from '../../../src/cloudLink/homes/watchedLog.ts';
import type { LogEntry } from '../../../src/kernel/sqlite/log/homeLog.ts';

/** A control plane that has an entry only when the test releases it. */
export class HeldLog implements WatchableLog {
  head = 0;
  acknowledged = 0;
  /** Bytes of entries of an earlier process. */
  unsent = { bytes: 0 };
  readonly #waiting: (() => void)[] = [];

  send({ n }: LogEntry): Promise<undefined> {
    this.head = n;
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.acknowledged = n;
        resolve(undefined);
      });
    });
  }

  waitFor(n: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.acknowledged = n;
        resolve(true);
      });
    });
  }

  /** The oldest entries that wait arrive. */
  acknowledge(count = this.#waiting.length): void {
    for (const arrive of this.#waiting.splice(0, count)) arrive();
  }
}

export const createEntry = (n: number, bytes = 10): LogEntry => ({
  n,
  generation: 1,
  hash: 'f'.repeat(64),
  body: new Uint8Array(bytes),
});
