import {
  type FreeSpace,
  type LowDisk,
  findLowDisk,
  describeLowDisk,
} from '../../base/limits/findLowDisk.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Log } from '../../base/system/log/log.ts';

/** Interval of readings, ms. */
const CHECK_MS = 5_000;
/** Longest wait for a reading, ms: a network disk may not answer. */
const READ_WAIT_MS = 2_000;

export interface DiskWatchDeps {
  folders: readonly string[];
  /** MB; 0 = off. Called at each reading. */
  minFreeMb(): number;
  /** Free bytes on the disk of a folder; null = no watching. */
  read: ((folder: string) => Promise<number>) | null;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn'>;
}

/** Whether the runner's disks have room for sessions: read every 5 s and before each session. */
export class DiskWatch {
  readonly #deps: DiskWatchDeps;
  readonly #listeners = new Set<(low: LowDisk | null) => void>();
  #low: LowDisk | null = null;
  #reading: Promise<void> | null = null;
  /** Folders that could not be read last time; logged once. */
  #unreadable = '';
  #cancelTimer = () => {};
  #isOver = false;

  constructor(deps: DiskWatchDeps) {
    this.#deps = deps;
  }

  /** The disk that was low at the last reading; null = none. */
  get low(): LowDisk | null {
    return this.#low;
  }

  get reason(): string | null {
    return this.#low && describeLowDisk(this.#low);
  }

  /**
   * Calls the listener when more than the number has changed, until the returned function is
   * called.
   */
  onChange(listener: (low: LowDisk | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads now, then every 5 s until `stop`. Resolves after the first reading. */
  async start(): Promise<void> {
    if (!this.#deps.read) return;
    await this.check();
    this.#scheduleCheck();
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelTimer();
  }

  /** Reads now and returns the low disk. Never rejects. */
  async check(): Promise<LowDisk | null> {
    const { read } = this.#deps;
    if (!read) return null;
    this.#reading ??= this.#read(read).finally(() => {
      this.#reading = null;
    });
    await this.#reading;
    return this.#low;
  }

  async #read(read: (folder: string) => Promise<number>): Promise<void> {
    const { folders, minFreeMb } = this.#deps;
    const readings = await Promise.all(folders.map((folder) => this.#space(folder, read)));
    const spaces = readings.filter((space) => space !== null);
    const missing = folders.filter((_, n) => readings[n] === null).join(', ');
    if (missing !== '' && missing !== this.#unreadable)
      this.#deps.log.warn({ folders: missing }, 'how much of the disk is free cannot be read');
    this.#unreadable = missing;
    const minMb = minFreeMb();
    const lowDisk = findLowDisk(spaces, minMb, this.#low !== null);
    // An unreadable disk keeps its last state.
    if (lowDisk === null && missing !== '' && minMb > 0) return;
    this.#take(lowDisk);
  }

  #take(lowDisk: LowDisk | null): void {
    const before = this.#low;
    this.#low = lowDisk;
    if (before?.folder === lowDisk?.folder && before?.urgent === lowDisk?.urgent) return;
    const { log } = this.#deps;
    if (lowDisk) log.warn({ ...lowDisk }, `the disk is low: ${describeLowDisk(lowDisk)}`);
    else log.info({ folder: before?.folder }, 'the disk has room again: sessions start');
    for (const listener of this.#listeners) listener(lowDisk);
  }

  async #space(
    folder: string,
    read: (folder: string) => Promise<number>,
  ): Promise<FreeSpace | null> {
    const { clock } = this.#deps;
    let cancel = () => {};
    const tooLate = new Promise<null>((resolve) => {
      cancel = clock.at(clock.now() + READ_WAIT_MS, () => resolve(null));
    });
    const reading = read(folder).then(
      (bytes) => ({ folder, bytes }),
      () => null,
    );
    return Promise.race([reading, tooLate]).finally(cancel);
  }

  #scheduleCheck(): void {
    if (this.#isOver) return;
    const { clock } = this.#deps;
    this.#cancelTimer = clock.at(clock.now() + CHECK_MS, () => {
      void this.check().then(() => this.#scheduleCheck());
    });
  }
}
