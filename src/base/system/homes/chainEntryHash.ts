import { createHash } from 'node:crypto';

/** The hash at n = 0, before a home's first entry. */
export const CHAIN_START = '0'.repeat(64);

/** What the hash of an entry covers besides the hash before it. */
export interface ChainedEntry {
  /** 1, 2, 3 … */
  n: number;
  /** Of the claim under which it was made. */
  generation: number;
  body: Uint8Array;
}

/**
 * The hash of a home's log at an entry, lower-case hex: it names the whole history up to there.
 * `previous`: the hash at n - 1.
 */
export const chainEntryHash = (previous: string, { n, generation, body }: ChainedEntry): string =>
  createHash('sha256').update(`${previous}\n${n}\n${generation}\n`).update(body).digest('hex');
