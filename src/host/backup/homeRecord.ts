import { existsSync } from 'node:fs';
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import type { Ids } from '../../base/system/ids/ids.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';

export const RESTORING = '.restore';
export const PROGRESS = 'restore.json';

/** Whether a restore into this home was begun and has not ended: no runner starts on it. */
export const isBeingRestored = (home: string): boolean =>
  existsSync(join(home, RESTORING, PROGRESS));

/** `home.json`: which home it is, and where it was when a runner last started on it. */
const HomeRecord = Type.Object({
  /** Minted once; a copy of the folder has the same one. */
  id: Type.String(),
  /** Absolute, as it was named then. */
  path: Type.String(),
  /** The home of whose backup it was made; left out = of none. */
  restoredFrom: Type.Optional(Type.Object({ id: Type.String(), path: Type.String() })),
});
type HomeRecord = Type.Static<typeof HomeRecord>;

const toHomeRecordPath = (home: string): string => join(home, 'home.json');

async function readHomeRecord(home: string): Promise<HomeRecord | null> {
  try {
    const value: unknown = JSON.parse(await readFile(toHomeRecordPath(home), 'utf8'));
    return Check(HomeRecord, value) ? value : null;
  } catch {
    return null;
  }
}

async function writeHomeRecord(folder: string, record: HomeRecord, ids: Ids): Promise<void> {
  await writePrivateFile(
    toHomeRecordPath(folder),
    `${JSON.stringify(record)}\n`,
    `${ids.next()}.draft`,
  );
}

/**
 * `home.id`: the id that a home will have, until its first start. Not `home.json`, which says that a
 * state has been written here: a start without one would be refused.
 */
const toReservedIdPath = (home: string): string => join(home, 'home.id');

const readReservedId = (home: string): Promise<string | null> =>
  readFile(toReservedIdPath(home), 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );

/** The id of the home, also before a runner has started on it. The folder must exist. */
export async function reserveHomeId(home: string, ids: Ids): Promise<string> {
  const knownId = (await readHomeRecord(home))?.id ?? (await readReservedId(home));
  if (knownId !== null) return knownId;
  const id = ids.next();
  await writePrivateFile(toReservedIdPath(home), `${id}\n`, `${ids.next()}.draft`);
  return id;
}

/** Records the place of the home, and gives it an id if it has none. */
export async function saveHomeRecord(home: string, ids: Ids): Promise<void> {
  const record = await readHomeRecord(home);
  if (record?.path === home) return;
  const id = record?.id ?? (await readReservedId(home)) ?? ids.next();
  await writeHomeRecord(home, { ...record, id, path: home }, ids);
  await rm(toReservedIdPath(home), { force: true });
}

/** Records in `folder`, which will be `home`, that it is a new home, and of which one it was restored. */
export const saveRestoredRecord = (
  folder: string,
  home: string,
  from: { id: string | undefined; path: string },
  ids: Ids,
): Promise<void> => {
  const { id, path } = from;
  return writeHomeRecord(
    folder,
    { id: ids.next(), path: home, ...(id === undefined ? {} : { restoredFrom: { id, path } }) },
    ids,
  );
};

/** The id of a home; undefined = no runner has started on it. */
export const readOwnHomeId = async (home: string): Promise<string | undefined> =>
  (await readHomeRecord(home))?.id;

/** Where the home is of whose backup this one was made; null = it is not on this machine. */
export async function findOriginalHome(home: string): Promise<string | null> {
  const from = (await readHomeRecord(home))?.restoredFrom;
  return from !== undefined && (await readOwnHomeId(from.path)) === from.id ? from.path : null;
}

/**
 * How a home came to where it is: `here` = it was here before, or is new; else its former path, and
 * whether the home is still there too, so that this is a copy.
 */
export type HomeOrigin = 'here' | { from: string; isCopy: boolean };

export async function findHomeOrigin(home: string): Promise<HomeOrigin> {
  const record = await readHomeRecord(home);
  if (record === null || record.path === home) return 'here';
  const other = await realpath(record.path).catch(() => null);
  if (other === null) return { from: record.path, isCopy: false };
  // The same folder under another name.
  if (other === (await realpath(home))) return 'here';
  return { from: record.path, isCopy: (await readHomeRecord(other))?.id === record.id };
}
