import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';

const ALGORITHM = 'aes-256-gcm';
/** Bytes of a key. */
const KEY_BYTES = 32;
/** Bytes before the sealed text: version, name of the key, nonce, tag. */
const VERSION = 1;
export const KEY_NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_NAME_BYTES + NONCE_BYTES + TAG_BYTES;

/** Seals secrets for the database. `place` names whose secret it is: it opens at no other place. */
export interface Sealer {
  /** In hex; the first one seals. */
  readonly keyNames: readonly string[];
  seal(text: string, place: string): Buffer;
  /** null = it was sealed with another key or for another place, or has been changed. */
  open(sealedBytes: Uint8Array, place: string): string | null;
}

/**
 * The bytes of a key in hex or base64, as SVC_CLOUD_KEY and SVC_CLOUD_OTHER_KEY have it. Throws SvcError `bad-argument` for another length; the
 * message does not contain the text.
 */
export function parseCloudKey(text: string): Buffer {
  const keyText = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(keyText)
    ? Buffer.from(keyText, 'hex')
    : Buffer.from(keyText, 'base64');
  if (key.length !== KEY_BYTES)
    throw new SvcError(
      'bad-argument',
      `SVC_CLOUD_KEY and SVC_CLOUD_OTHER_KEY must be ${KEY_BYTES} bytes in base64 or hex. Make one with: openssl rand -base64 ${KEY_BYTES}`,
    );
  return key;
}

/** What a key is called in what it has sealed, and in the table of nodes: it says nothing of the key. */
const toKeyName = (key: Uint8Array): Buffer =>
  createHash('sha256').update(key).digest().subarray(0, KEY_NAME_BYTES);

/** AES-256-GCM. `other`: a further key that opens and never seals, while one replaces the other. */
export function createSealer(key: Uint8Array, other: Uint8Array | null = null): Sealer {
  const keys = [key, ...(other === null ? [] : [other])].map((one) => ({
    key: one,
    name: toKeyName(one),
  }));
  const name = toKeyName(key);
  return {
    keyNames: keys.map((one) => one.name.toString('hex')),
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), name, nonce, cipher.getAuthTag(), encrypted]);
    },
    open(sealedBytes, place) {
      const bytes = Buffer.from(sealedBytes);
      const own = keys.find((one) => bytes.subarray(1, 1 + KEY_NAME_BYTES).equals(one.name));
      if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION || own === undefined) return null;
      const nonceEnd = 1 + KEY_NAME_BYTES + NONCE_BYTES;
      const nonce = bytes.subarray(1 + KEY_NAME_BYTES, nonceEnd);
      try {
        const decipher = createDecipheriv(ALGORITHM, own.key, nonce)
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(nonceEnd, HEAD_BYTES));
        const text = Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
        return text.toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** The keys of a node, as its variables have them. Throws SvcError `bad-argument`. */
export function openSealer(key: string | null, other: string | null): Sealer | null {
  if (key !== null)
    return createSealer(parseCloudKey(key), other === null ? null : parseCloudKey(other));
  if (other === null) return null;
  throw new SvcError(
    'bad-argument',
    'SVC_CLOUD_OTHER_KEY is set and SVC_CLOUD_KEY is not. Name the key that seals in SVC_CLOUD_KEY.',
  );
}
