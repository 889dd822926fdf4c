import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../src/base/errors/errors.ts';
import { makeFolder } from '../../src/base/system/files/makeFolder.ts';
import { writePrivateFile } from '../../src/base/system/files/writePrivateFile.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import type { Env } from '../../src/host/config/home/env.ts';

export const DATABASE_VARIABLE = 'DATABASE_URL';
/** Variables of a control plane that are secrets whatever they hold. */
export const SECRET_CLOUD_VARIABLES = [
  'SVC_CLOUD_KEY',
  'SVC_CLOUD_OTHER_KEY',
  'SVC_CLOUD_METRICS_TOKEN',
] as const;
/** All variables that svc writes into the file of the service of a control plane. */
const KEPT: readonly string[] = [DATABASE_VARIABLE, ...SECRET_CLOUD_VARIABLES];

const PRIVATE_FOLDER = 0o700;

/**
 * Those of the variables in `leftOutNames` that belong in the file, by name. Throws SvcError `not-possible-now` where the
 * service manager has no such file.
 */
export function pickCloudVariables(
  platform: NodeJS.Platform,
  env: Env,
  leftOutNames: readonly string[],
): Record<string, string> {
  const names = leftOutNames.filter((name) => KEPT.includes(name));
  if (names.length > 0 && platform !== 'linux')
    throw new SvcError(
      'not-possible-now',
      `${names.join(', ')} ${names.length === 1 ? 'is a secret' : 'are secrets'}, and launchd keeps the variables of a service where others can read them. Use a database that needs no password from this user, such as postgres://localhost/svc?host=/tmp, or unset DATABASE_URL for the database that svc starts, whose key is a file in the home.`,
    );
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
}

/** Writes the variables into the file that systemd reads, mode 0600; its other lines stay. */
export async function writeCloudVariables(
  { environmentFile }: { environmentFile: string },
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  await makeFolder(dirname(environmentFile), PRIVATE_FOLDER);
  const before = await readFile(environmentFile, 'utf8').catch(() => '');
  const others = before
    .split('\n')
    .filter((line) => line !== '' && !Object.hasOwn(variables, line.split('=', 1)[0] ?? ''));
  // In single quotes systemd reads everything as it is; in an address this sign is written %27 as well, and keys and
  // tokens have none.
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}='${value.replaceAll("'", '%27')}'`,
  );
  await writePrivateFile(
    environmentFile,
    `${[...others, ...lines].join('\n')}\n`,
    `${randomIds.next()}.draft`,
  );
}

/** A variable that {@link writeCloudVariables} has written; null = none, or not for this user. */
export async function readCloudVariable(
  environmentFile: string,
  name: string,
): Promise<string | null> {
  const text = await readFile(environmentFile, 'utf8').catch(() => '');
  return new RegExp(`^${name}=(['"]?)(.*)\\1$`, 'm').exec(text)?.[2] || null;
}
