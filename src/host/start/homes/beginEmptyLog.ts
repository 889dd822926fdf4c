import { CHAIN_START } from '../../../base/system/homes/chainEntryHash.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import type { ClaimedState } from './claimHome.ts';

/** Of the first process that uses a home. */
const FIRST_GENERATION = 1;

/**
 * Begins the log of a home that has never been used: nothing has to be copied. null = the control plane keeps no logs,
 * as an older one.
 */
export async function beginEmptyLog(
  client: HomeClient,
  { homeId, storeVersion }: { homeId: string; storeVersion: number },
  patience: Patience,
): Promise<ClaimedState | null> {
  const at: LogPosition = { n: 0, hash: CHAIN_START };
  const begin = { ...at, generation: FIRST_GENERATION, storeVersion, homeId };
  try {
    const { generation, takeoverMs } = await client.create(begin, patience);
    return {
      generation,
      takeoverMs,
      position: at,
      acknowledged: at,
      outgoing: [],
      storeVersion,
      homeId,
      hasCheckpoint: false,
    };
  } catch (error) {
    if (error instanceof SvcError && error.code === 'not-found') return null;
    throw error;
  }
}
