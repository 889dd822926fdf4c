import { quotePosixWord } from '../../base/text/quotePosixWord.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_FILE = 'model.key';

/** Where the key of a session's model is, for agents that read it from a file. */
export const resolveKeyFile = (sessionDir: string): string => join(sessionDir, KEY_FILE);

export const buildKeyCommand = (sessionDir: string): string =>
  `cat ${quotePosixWord(resolveKeyFile(sessionDir))}`;

/** Writes the model's key so that only the runner's user can read it (0600). */
export async function writeKeyFile(sessionDir: string, key: string): Promise<void> {
  const file = resolveKeyFile(sessionDir);
  // An earlier session may have left a link here; following it would write elsewhere.
  await rm(file, { force: true });
  await writeFile(file, key, { mode: 0o600, flag: 'wx' });
}

export const removeKeyFile = (sessionDir: string): Promise<void> =>
  rm(resolveKeyFile(sessionDir), { force: true });
