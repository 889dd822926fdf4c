import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcError, toErrorMessage } from '../../src/base/errors/errors.ts';
import { isPathWithin } from '../../src/base/system/files/isPathWithin.ts';
import { findLocalPlaces } from '../../src/base/system/postgres/localPlaces.ts';
import { readPostmasterFile } from '../../src/base/system/postgres/postmasterFile.ts';
import { isProcessAlive } from '../../src/base/system/process/isProcessAlive.ts';
import { removeTree } from '../../src/git/cleanup/tree.ts';
import type { HomeService } from './findServicesHere.ts';

/** The database that `svc cloud start` has made for a home. */
export interface TrialDatabase {
  /** With the data, the socket, and a PostgreSQL that was installed for it. */
  folder: string;
  data: string;
  /** Whether it is not in the home, as where svc is root. */
  isOutside: boolean;
  /** First process of the server; null = it does not run. */
  server: number | null;
}

/** `home`: as a real path. null = none was made, or it belongs to another user. */
export async function findTrialDatabase(home: string): Promise<TrialDatabase | null> {
  for (const isRoot of process.getuid?.() === 0 ? [true, false] : [false]) {
    const { base, data } = findLocalPlaces(home, isRoot);
    if (!existsSync(data) && !existsSync(join(base, 'program'))) continue;
    return {
      folder: base,
      data,
      isOutside: !isPathWithin(base, home),
      server: await findServer(data),
    };
  }
  return null;
}

async function findServer(data: string): Promise<number | null> {
  const file = await readPostmasterFile(data).catch(() => null);
  return file !== null && isProcessAlive(file.pid) ? file.pid : null;
}

/** Why its removal is not possible now; null = it is, or nothing of it is removed. */
export function explainRunningDatabase(
  database: TrialDatabase | null,
  { purge, services }: { purge: boolean; services: readonly HomeService[] },
): string | null {
  // A service of the control plane is stopped before the home is removed.
  const isStopped = services.some(({ plan }) => plan.serves === 'cloud');
  if (!purge || database === null || database.server === null || isStopped) return null;
  return describeRunning(database);
}

const describeRunning = ({ data, server }: TrialDatabase): string =>
  `The control plane of this home is running, or was killed and left its database running: PostgreSQL, process ${server}, with the data in ${data}. Stop it first: Ctrl-C where svc cloud start runs, or svc service uninstall --cloud; else kill -INT ${server}.`;

/** Throws SvcError `not-possible-now` where it runs all the same, as when it was started after the list was shown. */
export async function refuseRunningDatabase(database: TrialDatabase | null): Promise<void> {
  if (database === null) return;
  const server = await findServer(database.data);
  if (server === null) return;
  throw new SvcError(
    'not-possible-now',
    `${describeRunning({ ...database, server })} The home and the database stay. Then run svc uninstall --purge again.`,
  );
}

/** Throws SvcError `conflict` with what the system says. */
export async function removeDatabase({ folder }: TrialDatabase): Promise<void> {
  try {
    await removeTree(folder);
  } catch (error) {
    throw new SvcError(
      'conflict',
      `${folder} could not be removed: ${toErrorMessage(error)}. Run svc uninstall --purge again: it continues.`,
      { cause: error },
    );
  }
  // Only where no other home has data there.
  await rmdir(dirname(folder)).catch(() => undefined);
}
