import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import { uploadBlob } from '../../../cloudLink/homes/uploadBlob.ts';
import type { LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import type { LogStart } from '../../../kernel/sqlite/log/storeLog.ts';
import type { HomeCheckpoints } from './homeCheckpoints.ts';

interface LogStartParts {
  client: HomeClient;
  patience: Patience;
  /** null = the home is seeded: its next copy has what is written meanwhile. */
  checkpoints(): Pick<HomeCheckpoints, 'upload'> | null;
}

/** Where the log of a store begins, and what it asks of the control plane. */
export const createLogStart = (
  { client, patience, checkpoints }: LogStartParts,
  generation: number,
  position: LogPosition,
): LogStart => ({
  ...position,
  generation,
  checkpointDue: () => checkpoints()?.upload() ?? Promise.resolve(undefined),
  keepArchive: async (path, sha256) => {
    await uploadBlob(client, sha256, path, () => patience);
    return undefined;
  },
});
