import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';

/**
 * `arrival.json`: another machine has worked on the state of this home, which came here from the control plane. What
 * jobs had beside the state, such as checkouts, may be there alone.
 */
const toArrivalPath = (home: string): string => join(home, 'arrival.json');

export const hasArrived = (home: string): boolean => existsSync(toArrivalPath(home));

/** `at`: epoch ms. */
export const saveArrival = (home: string, at: number, ids: Ids): Promise<void> =>
  writePrivateFile(
    toArrivalPath(home),
    `${JSON.stringify({ at: new Date(at).toISOString() })}\n`,
    `${ids.next()}.draft`,
  );
