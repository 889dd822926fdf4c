/** One committed batch as SQL statements, numbered in its home. */
export interface LogEntry {
  /** 1, 2, 3 … without a gap. */
  n: number;
  /** Of the claim under which it was made. */
  generation: number;
  /** Of the whole history up to this entry: see `chainEntryHash`. */
  hash: string;
  /** gzip: see `encodeEntry`. */
  body: Uint8Array;
}

/** How far a file's rows, or a control plane, are in a home's log. */
export interface LogPosition {
  /** 0 = before the first entry. */
  n: number;
  hash: string;
}

/** An actor that a batch has begun, or given another index. */
export interface ChangedActor {
  id: string;
  chart: string;
}

/** Where entries go; implemented by the link to the control plane. */
export interface HomeLog {
  /** Number of the last entry made here, and of the last one that the control plane has. */
  readonly head: number;
  readonly acknowledged: number;
  /**
   * Resolves when the control plane has it. Never rejects: an unknown outcome is found out, not
   * guessed. Entries are acknowledged in their order. `changed`: what the entry has changed, which
   * reads show when this is called; left out = not known.
   */
  send(entry: LogEntry, changed?: readonly ChangedActor[]): Promise<undefined>;
}
