import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { findErrorCode } from '../../../base/errors/findErrorCode.ts';
import { isMissingFile } from '../../../base/errors/findErrorCode.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { LocalPlaces } from '../../../base/system/postgres/localPlaces.ts';

/** The password of a database that svc starts; it is made with the data. Throws SvcError `not-possible-now`. */
export async function readLocalPassword(
  { passwordFile, data }: LocalPlaces,
  ids: Ids,
): Promise<string> {
  await mkdir(dirname(passwordFile), { recursive: true, mode: 0o700 });
  const knownPassword = await readKnown(passwordFile);
  if (knownPassword !== null) return knownPassword;
  if (existsSync(data))
    throw new SvcError(
      'not-possible-now',
      `${passwordFile} is missing, and without it the database in ${data} cannot be opened. Put the file back, or move the folder away to start with an empty database.`,
    );
  // Whole from the start, and of two starts of this home the first one counts.
  const draft = `${passwordFile}.${ids.next()}`;
  try {
    await writeFile(draft, `${ids.secret()}\n`, { mode: 0o600, flush: true });
    await link(draft, passwordFile);
  } catch (error) {
    if (findErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKnown(passwordFile)) ?? '';
}

async function readKnown(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim() || null;
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}
