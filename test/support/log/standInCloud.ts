import type {
  ChangedActor,
  HomeLog,
  LogEntry,
  LogPosition,
} from '../../../src/kernel/sqlite/log/homeLog.ts';
import { CHAIN_START, chainEntryHash } from '../../../src/base/system/homes/chainEntryHash.ts';

export type Acceptance = 'stored' | 'known' | 'fenced' | 'gap';

/** The control plane's rule for one home, in memory: what is stored, and by which claim. */
export class StandInCloud {
  readonly entries: LogEntry[] = [];
  /** What was accepted and claimed, in order, for a check of the whole history. */
  readonly history: string[] = [];
  generation = 0;

  get head(): LogPosition {
    return this.entries.at(-1) ?? { n: 0, hash: CHAIN_START };
  }

  /** Compare-and-set of the head; null = it has moved. */
  claim(head: LogPosition): number | null {
    if (head.n !== this.head.n || head.hash !== this.head.hash) return null;
    this.generation += 1;
    this.history.push(`claim ${this.generation}`);
    return this.generation;
  }

  accept(entry: LogEntry): Acceptance {
    const known = this.entries[entry.n - 1];
    if (known !== undefined && known.hash === entry.hash) return 'known';
    if (entry.generation !== this.generation) return 'fenced';
    if (entry.n !== this.head.n + 1 || chainEntryHash(this.head.hash, entry) !== entry.hash)
      return 'gap';
    this.entries.push({ ...entry, body: Uint8Array.from(entry.body) });
    this.history.push(`entry ${entry.n} of ${entry.generation}`);
    return 'stored';
  }
}

interface SentEntry {
  entry: LogEntry;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * A link to the stand-in. By default entries arrive and are acknowledged at once; `hold` keeps them
 * on the way. Refused entries are never acknowledged.
 */
export class StandInLog implements HomeLog {
  readonly cloud: StandInCloud;
  /** Every entry, as often as it was sent. */
  readonly sent: number[] = [];
  /** Ids of the actors that each entry has changed, as often as it was sent. */
  readonly changed: (readonly string[] | null)[] = [];
  /** Entries that were refused, and why. */
  readonly refused: string[] = [];
  head = 0;
  acknowledged = 0;
  /** How often each entry arrives. */
  copies = 1;
  #held: SentEntry[] | null = null;

  constructor(cloud: StandInCloud) {
    this.cloud = cloud;
    this.head = cloud.head.n;
    this.acknowledged = cloud.head.n;
  }

  send(entry: LogEntry, changedActors?: readonly ChangedActor[]): Promise<undefined> {
    this.changed.push(changedActors?.map(({ id }) => id) ?? null);
    this.head = Math.max(this.head, entry.n);
    this.sent.push(entry.n);
    return new Promise((resolve, reject) => {
      const entryOnTheWay: SentEntry = { entry, resolve: () => resolve(undefined), reject };
      if (this.#held) this.#held.push(entryOnTheWay);
      else this.#arrive(entryOnTheWay);
    });
  }

  hold(): void {
    this.#held ??= [];
  }

  /** How many entries are on the way. */
  get held(): number {
    return this.#held?.length ?? 0;
  }

  /** The oldest that is held arrives; `isAnswered`: and is acknowledged. */
  arrive(isAnswered = true): void {
    const transfer = this.#held?.shift();
    if (!transfer) throw new Error('nothing is on the way');
    this.#arrive(transfer, isAnswered);
  }

  /** What is held arrives, and what comes from now on. */
  release(): void {
    const transfers = this.#held ?? [];
    this.#held = null;
    for (const transfer of transfers) this.#arrive(transfer);
  }

  /** What is held is lost with the connection. */
  lose(): void {
    this.#held = [];
  }

  /** Breaks the promise of a log. */
  rejectHeld(): void {
    for (const { reject } of this.#held?.splice(0) ?? []) reject(new Error('the log is confused'));
  }

  #arrive({ entry, resolve }: SentEntry, isAnswered = true): void {
    for (let copy = 0; copy < this.copies; copy++) {
      const outcome = this.cloud.accept(entry);
      if (outcome === 'fenced' || outcome === 'gap') {
        this.refused.push(`${entry.n}: ${outcome}`);
        return;
      }
    }
    if (!isAnswered) return;
    this.acknowledged = Math.max(this.acknowledged, entry.n);
    resolve();
  }
}
