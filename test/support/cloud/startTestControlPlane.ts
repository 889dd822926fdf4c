import { join } from 'node:path';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from '../../../src/cloud/main.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { createNodeClock } from './nodeClock.ts';
import { createTestDatabase } from './openTestDatabase.ts';

/** The key of the nodes of tests. */
export const TEST_CLOUD_KEY = Buffer.alloc(32, 7).toString('base64');

export interface TestControlPlane extends ControlPlane {
  databaseUrl: string;
  /** Asks this node; `path` begins with a slash. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** A node on a free port, with a database of its own unless one is given. To be stopped. */
export async function startTestControlPlane(
  options: Partial<Omit<ControlPlaneOptions, 'database'>> & { databaseUrl?: string } = {},
): Promise<TestControlPlane> {
  const { databaseUrl = await createTestDatabase(), clock = systemClock, ...more } = options;
  const nodeClock = createNodeClock(clock);
  const started = await startControlPlane({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    nodeUrl: null,
    baseIntelligence: join(import.meta.dirname, '../../../intelligence'),
    version: '0.0.0-test',
    log: silentLog,
    secrets: new KnownSecrets(),
    localPostgres: null,
    // A test asks as one person, and as fast as it can.
    requestLimit: 1_000_000,
    cloudKey: TEST_CLOUD_KEY,
    ...more,
    clock: nodeClock,
    database: databaseUrl,
  });
  return {
    ...started,
    async stop() {
      await started.stop();
      nodeClock.end();
    },
    databaseUrl,
    ask: (path, init) => fetch(`${started.url}${path}`, init),
  };
}
