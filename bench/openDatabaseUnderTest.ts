import { randomIds } from '../src/base/system/ids/ids.ts';
import { silentLog } from '../src/base/system/log/log.ts';
import { systemClock } from '../src/base/time/clock.ts';
import { openLocalDatabase } from '../src/cloud/database/local/openLocalDatabase.ts';
import type { Lab } from './lab.ts';

/** A PostgreSQL of its own, which keeps what a power loss would take. Needs PostgreSQL on this machine. */
export const openDatabaseUnderTest = (lab: Lab) =>
  openLocalDatabase(
    {
      home: lab.folder('database'),
      path: process.env.PATH ?? '',
      isRoot: process.getuid?.() === 0,
      install: async () => null,
    },
    { ids: randomIds, clock: systemClock, log: silentLog },
  );
