import type { Ids } from '../../base/system/ids/ids.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../database/database.ts';
import type { CloudObserver } from './metrics/cloudObserver.ts';

/** What every part of a node is made with. */
export interface CloudContext {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Where people and runners reach the control plane, without a slash at the end. */
  publicUrl: string;
  /** Of this process: a node that starts again has another one. */
  nodeId: string;
  version: string;
  observer: CloudObserver;
}

/** What reads and writes rows is given. */
export type StoreContext = Pick<CloudContext, 'database' | 'clock'>;
