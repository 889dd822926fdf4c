import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { makeFolder } from '../../base/system/files/makeFolder.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../base/system/ids/ids.ts';

/** Folders of the adopter's home that the process of an adopted home reads. */
const COPIED_FOLDERS = ['plugins', 'guardrails'];
const TRUST = 'trust.json';

/**
 * Gives the process of an adopted home its configuration, and what applies beside it: plug-ins, rules,
 * and which repositories a person has trusted. Before each start, so that changes of the adopter
 * count from the next one on. The state and the work of the jobs stay as they are.
 */
export async function furnishAdoptedHome(
  home: string,
  adoptedHome: string,
  config: Record<string, unknown>,
  ids: Ids,
): Promise<void> {
  await makeFolder(adoptedHome, 0o700);
  // Holds tokens.
  const text = `${JSON.stringify(config, null, 2)}\n`;
  await writePrivateFile(join(adoptedHome, 'config.json'), text, `${ids.next()}.draft`);
  for (const name of COPIED_FOLDERS) {
    await rm(join(adoptedHome, name), { recursive: true, force: true });
    await cp(join(home, name), join(adoptedHome, name), { recursive: true }).catch(ignoreMissing);
  }
  await copyTrust(home, adoptedHome, ids);
}

/** Trust is for a repository in a place: the mirrors of the adopted home have another one. */
async function copyTrust(home: string, adoptedHome: string, ids: Ids): Promise<void> {
  const text = await readFile(join(home, TRUST), 'utf8').catch(ignoreMissing);
  if (text === undefined) {
    await rm(join(adoptedHome, TRUST), { force: true });
    return;
  }
  const place = (path: string) => JSON.stringify(`${path}/mirrors/`).slice(0, -1);
  const movedText = text.replaceAll(place(home), () => place(adoptedHome));
  await writePrivateFile(join(adoptedHome, TRUST), movedText, `${ids.next()}.draft`);
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
}
