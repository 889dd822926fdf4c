import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { findErrorCode, isMissingFile } from '../../../base/errors/findErrorCode.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';

/** Bytes of a key: see SVC_CLOUD_KEY. */
const KEY_BYTES = 32;

/** Keys of a database of svc's own, base64. */
export interface LocalKeys {
  /** What secrets are sealed with. */
  key: string;
  /** What opens them too, while one key replaces the other; null = none. */
  otherKey: string | null;
}

/** One key a line, the sealing key first; null = the file is missing or empty. Creates nothing. */
export async function readKnownLocalKeys(file: string): Promise<LocalKeys | null> {
  try {
    const text = await readFile(file, 'utf8');
    const [key, otherKey = null] = text.split('\n').flatMap((line) => line.trim() || []);
    return key === undefined ? null : { key, otherKey };
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

const createKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** The keys of a home; the first one is made at the first start. */
export async function readLocalKeys(file: string, ids: Ids): Promise<LocalKeys> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const localKeys = await readKnownLocalKeys(file);
  if (localKeys !== null) return localKeys;
  // Whole from the start, and of two starts of this home the first one counts.
  const draft = `${file}.${ids.next()}`;
  try {
    await writeFile(draft, `${createKey()}\n`, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKnownLocalKeys(file)) ?? { key: '', otherKey: null };
}

/** Puts a new key first, which seals from now on; the earlier keys still open. */
export const addLocalKey = (file: string, { key }: LocalKeys, ids: Ids): Promise<void> =>
  writePrivateFile(file, `${createKey()}\n${key}\n`, `${ids.next()}.draft`);

/** Leaves only the key that seals. */
export const dropOtherLocalKey = (file: string, { key }: LocalKeys, ids: Ids): Promise<void> =>
  writePrivateFile(file, `${key}\n`, `${ids.next()}.draft`);
