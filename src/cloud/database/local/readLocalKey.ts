import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { findErrorCode, isMissingFile } from '../../../base/errors/findErrorCode.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';

/** Bytes of a key: see SVC_CLOUD_KEY. */
const KEY_BYTES = 32;

const readKnown = async (file: string): Promise<string | null> => {
  try {
    return (await readFile(file, 'utf8')).trim() || null;
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
};

/** The key that secrets in a database of svc's own are sealed with, base64; it is made at the first start. */
export async function readLocalKey(file: string, ids: Ids): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const known = await readKnown(file);
  if (known !== null) return known;
  // Whole from the start, and of two starts of this home the first one counts.
  const draft = `${file}.${ids.next()}`;
  try {
    const key = randomBytes(KEY_BYTES).toString('base64');
    await writeFile(draft, `${key}\n`, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKnown(file)) ?? '';
}
