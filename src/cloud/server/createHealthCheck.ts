import type { CloudHealth } from '../../contract/schema/cloud/cloudHealth.ts';
import type { CloudContext } from './cloudContext.ts';
import type { DatabaseState } from './databaseLook.ts';

/** Reads what `GET /health` shows. Never rejects. */
export const createHealthCheck =
  (
    { clock, version, nodeId }: CloudContext,
    facts: {
      database: string;
      startedAt: number;
      isStopping(): boolean;
      look(): Promise<DatabaseState>;
    },
  ): (() => Promise<CloudHealth>) =>
  async () => {
    const databaseState = await facts.look();
    const up = databaseState.databaseReachable ? 'up' : 'no-database';
    return {
      version,
      nodeId,
      status: facts.isStopping() ? 'stopping' : up,
      ...databaseState,
      database: facts.database,
      uptimeMs: clock.now() - facts.startedAt,
    };
  };
