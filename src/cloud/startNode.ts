import { randomIds } from '../base/system/ids/ids.ts';
import { systemClock } from '../base/time/clock.ts';
import {
  type LocalDatabaseOptions,
  openLocalDatabase,
} from './database/local/openLocalDatabase.ts';
import type { ControlPlane, ControlPlaneOptions } from './main.ts';
import { requireFreePort } from './server/requireFreePort.ts';

export type StartedNode = ControlPlane;

export interface NodeOptions
  extends Omit<
    ControlPlaneOptions,
    'database' | 'localPostgres' | 'clock' | 'ids' | 'credentials'
  > {
  /** URL of one of your own, or what svc starts one with. */
  database: string | LocalDatabaseOptions;
}

/**
 * Starts a node as `svc cloud start` does. Most of the program is loaded while PostgreSQL starts, which
 * takes longer. Rejects with SvcError; nothing is then left open.
 */
export async function startNode({ database, ...options }: NodeOptions): Promise<StartedNode> {
  const loading = import('./main.ts');
  // Waited for below; until then a failure is not unhandled.
  loading.catch(() => undefined);
  if (typeof database === 'string') {
    const { startControlPlane } = await loading;
    return startControlPlane({ ...options, database, localPostgres: null });
  }
  await requireFreePort(options);
  const tools = { log: options.log, clock: systemClock, ids: randomIds };
  const local = await openLocalDatabase(database, tools);
  try {
    const { startControlPlane } = await loading;
    const keys = options.cloudKey ? {} : { cloudKey: local.key, otherCloudKey: local.otherKey };
    const parts = { ...options, ...keys, database: local.url, localPostgres: local.version };
    const node = await startControlPlane(parts);
    return {
      ...node,
      async stop() {
        await node.stop();
        await local.stop();
      },
    };
  } catch (error) {
    await local.stop();
    throw error;
  }
}
