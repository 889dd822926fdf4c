import type { CloudReadiness } from '../../contract/schema/cloud/cloudHealth.ts';
import type { CloudContext } from './cloudContext.ts';
import type { DatabaseState } from './databaseLook.ts';

/** Reads what `GET /ready` shows. Never rejects. */
export const createReadinessCheck =
  (
    { nodeId }: Pick<CloudContext, 'nodeId'>,
    facts: {
      isStopping(): boolean;
      holdsLease(): boolean;
      look(): Promise<Pick<DatabaseState, 'databaseReachable'>>;
    },
  ): (() => Promise<CloudReadiness>) =>
  async () => {
    const { databaseReachable } = await facts.look();
    if (facts.isStopping()) return { nodeId, status: 'stopping' };
    if (!databaseReachable) return { nodeId, status: 'no-database' };
    return { nodeId, status: facts.holdsLease() ? 'ready' : 'no-lease' };
  };
