/** Entries after which a checkpoint is due. */
export const CHECKPOINT_ENTRIES = 2_000;
/** Bytes of entries after which a checkpoint is due. */
export const CHECKPOINT_BYTES = 16 * 1024 * 1024;
/** Entries, and bytes of them, up to which another runner replays them sooner than a copy is made and uploaded. */
const FEW_ENTRIES = 200;
const FEW_BYTES = 1024 * 1024;
/** An entry as it is reckoned where its size is not known, bytes. */
const USUAL_ENTRY_BYTES = 2_048;

/** Counts what the control plane has after its newest checkpoint. */
export class CheckpointPace {
  #entries = 0;
  #bytes = 0;

  add(entries: number, bytes: number): void {
    this.#entries += entries;
    this.#bytes += bytes;
  }

  /** A copy was made; what follows counts again. */
  restart(): void {
    this.#entries = 0;
    this.#bytes = 0;
  }

  get isDue(): boolean {
    return this.#entries >= CHECKPOINT_ENTRIES || this.#bytes >= CHECKPOINT_BYTES;
  }

  get hasEntries(): boolean {
    return this.#entries > 0;
  }

  get hasManyEntries(): boolean {
    return this.#entries > FEW_ENTRIES || this.#bytes > FEW_BYTES;
  }
}

/** Whether a checkpoint at `n`, with the entries after it, is shorter than all entries from `from` to `head`. */
export function isCheckpointShorter(
  { n, bytes }: { n: number; bytes: number },
  from: number,
  head: number,
): boolean {
  return bytes + (head - n) * USUAL_ENTRY_BYTES < (head - from) * USUAL_ENTRY_BYTES;
}
