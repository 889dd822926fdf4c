import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often a database that recovers is tried, and the time between, ms. */
const MOST_ATTEMPTS = 100;
const AGAIN_MS = 200;

/** Tries again what a database that was killed refuses while it recovers. */
export async function tryPatiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS) throw error;
      await pause(AGAIN_MS);
    }
}

/** A connection of a test's own, when the database answers. */
export const openPatiently = (databaseUrl: string): Promise<Database> =>
  tryPatiently(() => openDatabase(databaseUrl, { log: silentLog, max: 1 }));
