import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { readTextAt, toFields } from '../../../base/json/untrusted.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';

/**
 * `arrival.json`: another machine has worked on the state of this home, which came here from the control plane. What
 * jobs had beside the state, such as checkouts, may be there alone.
 */
const toArrivalPath = (home: string): string => join(home, 'arrival.json');

export const hasArrived = (home: string): boolean => existsSync(toArrivalPath(home));

export interface Arrival {
  /** Epoch ms. */
  at: number;
  /** Length of the journal of each job with a folder on this disk, before the state of the other machine came here. */
  jobs: Readonly<Record<string, number>>;
}

export const saveArrival = (home: string, { at, jobs }: Arrival, ids: Ids): Promise<void> =>
  writePrivateFile(
    toArrivalPath(home),
    `${JSON.stringify({ at: new Date(at).toISOString(), jobs })}\n`,
    `${ids.next()}.draft`,
  );

/** null = no other machine has worked on the home. A record that cannot be read has no jobs. */
export function readArrival(home: string): Arrival | null {
  if (!hasArrived(home)) return null;
  const read = toFields(parseJsonOrNull(readFileSync(toArrivalPath(home), 'utf8')));
  const jobs = Object.entries(toFields(read.jobs)).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return { at: Date.parse(readTextAt(read, 'at')) || 0, jobs: Object.fromEntries(jobs) };
}
