import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../base/system/ids/ids.ts';

/** How long the folder of a home is kept after this runner has ended its work on it, ms. */
export const KEPT_ADOPTION_MS = 7 * 24 * 60 * 60_000;

const HOME_ID = '^[0-9A-Za-z_-]{1,64}$';
const Time = Type.Integer({ minimum: 0 });

/** `adoption.json`: a home of a lost runner that this runner continues, or has continued. */
const Adoption = Type.Object({
  homeId: Type.String({ pattern: HOME_ID }),
  /** The lost runner, as which the process of the home is connected. */
  runnerId: Type.String(),
  /** Its name. */
  name: Type.String(),
  /** Epoch ms. */
  since: Time,
  /** When its work ended here; null = it has not. */
  endedAt: Type.Union([Time, Type.Null()]),
});
export type Adoption = Type.Static<typeof Adoption>;

/** Whether an id from the control plane can be the name of a folder. */
export const isHomeId = (text: string): boolean => new RegExp(HOME_ID).test(text);

const toAdoptedDir = (home: string): string => join(home, 'adopted');

/** The folder in which the process of an adopted home works: its own SVC_HOME. */
export const toAdoptedHome = (home: string, homeId: string): string =>
  join(toAdoptedDir(home), homeId);

const toRecordPath = (adoptedHome: string): string => join(adoptedHome, 'adoption.json');

/** null = the folder is no adopted home. */
export async function readAdoption(adoptedHome: string): Promise<Adoption | null> {
  const text = await readFile(toRecordPath(adoptedHome), 'utf8').catch(() => '');
  const value = parseJsonOrNull(text);
  return Check(Adoption, value) ? value : null;
}

/** In the order of their begin. */
export async function listAdoptions(home: string): Promise<Adoption[]> {
  const names = await readdir(toAdoptedDir(home)).catch(() => []);
  const adoptions = await Promise.all(
    names.filter(isHomeId).map((name) => readAdoption(toAdoptedHome(home, name))),
  );
  return adoptions.filter((one) => one !== null).toSorted((a, b) => a.since - b.since);
}

/** The folder of the adopted home must exist. */
export const saveAdoption = (home: string, adoption: Adoption, ids: Ids): Promise<void> =>
  writePrivateFile(
    toRecordPath(toAdoptedHome(home, adoption.homeId)),
    `${JSON.stringify(adoption)}\n`,
    `${ids.next()}.draft`,
  );

/** Removes the folders of homes whose work here ended long ago. `now`: epoch ms. */
export async function removeOldAdoptions(home: string, now: number): Promise<void> {
  for (const { homeId, endedAt } of await listAdoptions(home))
    if (endedAt !== null && now - endedAt >= KEPT_ADOPTION_MS)
      await rm(toAdoptedHome(home, homeId), { recursive: true, force: true });
}
