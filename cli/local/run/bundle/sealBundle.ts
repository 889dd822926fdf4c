import { parseJsonOrNull } from '../../../../src/base/json/parseJsonOrNull.ts';
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Type from 'typebox';
import { Check } from 'typebox/value';
import type { Env } from '../../../../src/host/config/home/env.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { FILES, MANIFEST } from './manifest.ts';

export const SEAL = 'sealed.json';
const SEALED_FILES = 'sealed.bin';

const KEY_VARIABLE = 'SVC_BUNDLE_KEY';
const MIN_KEY_CHARS = 16;

const SEAL_FORMAT = 1;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes of the length of the manifest, before it. */
const LENGTH_BYTES = 8;
/** Cost of a guess at the key: 32 MiB and about 100 ms. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 ** 2 };
/** Most bytes of a content: AES-GCM is safe for less than 64 GiB under one nonce. */
const MAX_SEALED_BYTES = 60 * 1024 ** 3;

const Seal = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** The exit code of a job that has ended; null = it continues. Not encrypted. */
  ended: Type.Union([Type.Integer(), Type.Null()]),
  salt: Type.String({ pattern: `^[0-9a-f]{${SALT_BYTES * 2}}$` }),
  nonce: Type.String({ pattern: `^[0-9a-f]{${NONCE_BYTES * 2}}$` }),
});

const refuseBundleKey = (message: string): never => {
  throw new SvcError('bad-argument', message);
};

/** The key that bundles are encrypted with; null = they are not. Throws SvcError `bad-argument` for a short one. */
export function readBundleKey(env: Env): string | null {
  const key = env[KEY_VARIABLE]?.trim() ?? '';
  if (key === '') return null;
  if (key.length < MIN_KEY_CHARS)
    refuseBundleKey(
      `${KEY_VARIABLE} has fewer than ${MIN_KEY_CHARS} characters. Make one with: openssl rand -hex 32`,
    );
  return key;
}

const deriveKey = (key: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(key, salt, KEY_BYTES, SCRYPT, (error, derivedKey) =>
      error ? reject(error) : resolve(derivedKey),
    ),
  );

/** Encrypts the bundle of a folder in place. `ended` as in its manifest. */
export async function sealBundle(dir: string, key: string, endedAt: number | null): Promise<void> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const { size } = await stat(join(dir, FILES));
  if (size > MAX_SEALED_BYTES)
    refuseBundleKey(`The job was not kept: its files have more than ${MAX_SEALED_BYTES} bytes.`);
  const seal = `${JSON.stringify({ format: SEAL_FORMAT, ended: endedAt, salt: salt.toString('hex'), nonce: nonce.toString('hex') }, null, 2)}\n`;
  const cipher = createCipheriv(CIPHER, await deriveKey(key, salt), nonce);
  cipher.setAAD(Buffer.from(seal));
  const manifest = await readFile(join(dir, MANIFEST));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64BE(BigInt(manifest.length));
  async function* content(): AsyncGenerator<Buffer> {
    yield cipher.update(Buffer.concat([length, manifest]));
    for await (const piece of createReadStream(join(dir, FILES)) as AsyncIterable<Buffer>)
      yield cipher.update(piece);
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  }
  await pipeline(content, createWriteStream(join(dir, SEALED_FILES), { mode: 0o600 }));
  await writeFile(join(dir, SEAL), seal, { mode: 0o600 });
  for (const name of [MANIFEST, FILES]) await rm(join(dir, name));
}

export interface ReadableBundle {
  dir: string;
  remove(): Promise<void>;
}

const isExistingFile = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => null)) !== null;

/**
 * The bundle of a folder, decrypted into a folder of its own if it is encrypted. Throws SvcError
 * `bad-argument` if the key is missing or wrong, if the bundle was changed, or if a key is given
 * and the bundle is not encrypted: it may have replaced one that was.
 */
export async function openSealedBundle(dir: string, key: string | null): Promise<ReadableBundle> {
  if (!(await isExistingFile(join(dir, SEAL)))) {
    if (key !== null && (await isExistingFile(join(dir, MANIFEST))))
      refuseBundleKey(
        `The bundle ${dir} is not encrypted, and ${KEY_VARIABLE} is set: someone may have replaced it. If it is yours, continue it once without ${KEY_VARIABLE}.`,
      );
    return { dir, remove: async () => {} };
  }
  if (key === null)
    return refuseBundleKey(
      `The bundle ${dir} is encrypted. Set ${KEY_VARIABLE} to the key that it was encrypted with.`,
    );
  const plain = await mkdtemp(join(tmpdir(), 'svc-bundle-'));
  const remove = (): Promise<void> => rm(plain, { recursive: true, force: true });
  try {
    await decrypt(dir, key, plain);
    return { dir: plain, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function decrypt(dir: string, key: string, into: string): Promise<void> {
  const failChanged = (): never =>
    refuseBundleKey(
      `The bundle ${dir} was encrypted with another ${KEY_VARIABLE}, or it was truncated or changed. Nothing was used. Give the key that it was encrypted with, or use the copy that svc run wrote.`,
    );
  const text = await readFile(join(dir, SEAL), 'utf8');
  const seal = parseJsonOrNull(text);
  const format = Object(seal).format;
  if (Number.isInteger(format) && format > SEAL_FORMAT)
    refuseBundleKey(
      `The bundle ${dir} is encrypted in format ${format}, and this svc reads ${SEAL_FORMAT}. Continue it with the version of svc that wrote it, or a newer one.`,
    );
  if (!Check(Seal, seal)) return failChanged();
  const file = join(dir, SEALED_FILES);
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  const end = size - TAG_BYTES;
  if (end < LENGTH_BYTES) return failChanged();
  const derivedKey = await deriveKey(key, Buffer.from(seal.salt, 'hex'));
  const decipher = createDecipheriv(CIPHER, derivedKey, Buffer.from(seal.nonce, 'hex'));
  decipher.setAAD(Buffer.from(text));
  const tag = Buffer.alloc(TAG_BYTES);
  const handle = await open(file);
  try {
    await handle.read(tag, 0, TAG_BYTES, end);
  } finally {
    await handle.close();
  }
  decipher.setAuthTag(tag);
  // Nothing is read before all of it has proved to be genuine.
  const whole = join(into, 'whole');
  try {
    await pipeline(
      createReadStream(file, { end: end - 1 }),
      decipher,
      createWriteStream(whole, { mode: 0o600 }),
    );
  } catch {
    return failChanged();
  }
  await splitDecryptedBundle(whole, into);
}

async function splitDecryptedBundle(whole: string, into: string): Promise<void> {
  const handle = await open(whole);
  let manifestEnd: number;
  try {
    const length = Buffer.alloc(LENGTH_BYTES);
    await handle.read(length, 0, LENGTH_BYTES, 0);
    manifestEnd = LENGTH_BYTES + Number(length.readBigUInt64BE());
  } finally {
    await handle.close();
  }
  await pipeline(
    createReadStream(whole, { start: LENGTH_BYTES, end: manifestEnd - 1 }),
    createWriteStream(join(into, MANIFEST), { mode: 0o600 }),
  );
  await pipeline(
    createReadStream(whole, { start: manifestEnd }),
    createWriteStream(join(into, FILES), { mode: 0o600 }),
  );
  await rm(whole);
}
