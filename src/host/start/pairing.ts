import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';

/** `cloud.json`: what the control plane said of this runner last, so that a start does not wait for it. */
const Pairing = Type.Object({
  /** The control plane; of another one nothing counts. */
  url: Type.String(),
  team: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
  runner: Type.Object({
    id: Type.String(),
    name: Type.String(),
    ownerId: Type.Union([Type.String(), Type.Null()]),
  }),
});
export type Pairing = Type.Static<typeof Pairing>;

const toPairingPath = (home: string): string => join(home, 'cloud.json');

/** null = nothing is known of the runner at this control plane. */
export async function readPairing(home: string, url: string): Promise<Pairing | null> {
  const text = await readFile(toPairingPath(home), 'utf8').catch(() => '');
  const value = parseJsonOrNull(text);
  return Check(Pairing, value) && value.url === url ? value : null;
}

export const savePairing = (home: string, pairing: Pairing, ids: Ids): Promise<void> =>
  writePrivateFile(toPairingPath(home), `${JSON.stringify(pairing)}\n`, `${ids.next()}.draft`);
