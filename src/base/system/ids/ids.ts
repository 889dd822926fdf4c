import { createHash, hash, randomBytes, randomFillSync } from 'node:crypto';

/** Makes ids; handed in wherever one is needed, so that a simulation can make them repeatable. */
export interface Ids {
  /** A fresh lower-case id, 16 characters of [0-9a-z]; unguessable with the real source (80 bits). */
  next(): string;
  /** A secret of 32 random bytes as base64url, for tokens. */
  secret(): string;
}

const ID_CHARS = 16;
/** 32 letters: five bits choose one, so no letter is more likely than another. */
const LETTERS = '0123456789abcdefghijklmnopqrstuv';
/**
 * Randomness for the next ids, fetched for many at once: every request has an id, and a call to the
 * system costs more than it.
 */
const pool = Buffer.alloc(ID_CHARS * 256);
let usedBytes = pool.length;

function createRandomId(): string {
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  let id = '';
  for (const end = usedBytes + ID_CHARS; usedBytes < end; usedBytes += 1)
    id += LETTERS[(pool[usedBytes] ?? 0) % LETTERS.length];
  return id;
}

export const randomIds: Ids = {
  next: createRandomId,
  secret: () => randomBytes(32).toString('base64url'),
};

/** sha256 of text or bytes, lower-case hex. */
export const sha256 = (bytes: string | Uint8Array): string => hash('sha256', bytes);

/** sha256 of a text as bytes: of one length whatever the text, for comparisons in constant time. */
export const digestSha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
