import { createHash, randomBytes, randomFillSync } from 'node:crypto';

/** Makes ids; handed in wherever one is needed, so that a simulation can make them repeatable. */
export interface Ids {
  /** A fresh lower-case id, 16 characters of [0-9a-z]; unguessable with the real source. */
  next(): string;
  /** A secret of 32 random bytes as base64url, for tokens. */
  secret(): string;
}

const ID_BYTES = 12;
/**
 * Randomness for the next ids, fetched for many at once: every request has an id, and a call to the
 * system costs more than it.
 */
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

function idBytes(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString('hex', used - ID_BYTES, used);
}

export const randomIds: Ids = {
  next: () => BigInt(`0x${idBytes()}`).toString(36).padStart(16, '0').slice(-16),
  secret: () => randomBytes(32).toString('base64url'),
};

/** sha256 of text or bytes, lower-case hex. */
export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
