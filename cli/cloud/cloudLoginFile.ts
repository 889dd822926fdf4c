import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { isMissingFile } from '../../src/base/errors/findErrorCode.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { makeFolder } from '../../src/base/system/files/makeFolder.ts';
import { writePrivateFile } from '../../src/base/system/files/writePrivateFile.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';

const PRIVATE_FOLDER = 0o700;

/** A person's login at a control plane, in the home of the command line. Holds secrets. */
const CloudLogin = Type.Object({
  url: Type.String(),
  email: Type.String(),
  accessToken: Type.String(),
  /** Epoch ms by the clock of this machine. */
  accessUntil: Type.Number(),
  refreshToken: Type.String(),
  team: Type.Object({ id: Type.String(), slug: Type.String() }),
  /** The runner of this home there; null = it was not paired by this login. */
  runnerId: Type.Union([Type.String(), Type.Null()]),
});
export type CloudLogin = Type.Static<typeof CloudLogin>;

export const toCloudLoginPath = (home: string): string => join(home, 'cloud-login.json');

/** null = no one is logged in here. Throws SvcError for a file that cannot be read. */
export async function readCloudLogin(home: string): Promise<CloudLogin | null> {
  const file = toCloudLoginPath(home);
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (Check(CloudLogin, value)) return value;
  } catch (cause) {
    if (isMissingFile(cause)) return null;
    if (!(cause instanceof SyntaxError))
      throw new SvcError('forbidden', `The login in ${file} cannot be read.`, { cause });
  }
  throw new SvcError(
    'config-invalid',
    `The file ${file} holds no login. Remove it, and run svc login.`,
  );
}

/** Mode 0600 from its first byte on. */
export async function writeCloudLogin(home: string, login: CloudLogin): Promise<void> {
  await makeFolder(home, PRIVATE_FOLDER);
  const text = `${JSON.stringify(login, null, 2)}\n`;
  await writePrivateFile(toCloudLoginPath(home), text, `${randomIds.next()}.draft`);
}

export const removeCloudLogin = (home: string): Promise<void> =>
  rm(toCloudLoginPath(home), { force: true });
