import { DatabaseSync } from '@photostructure/sqlite';
import { SvcError } from '../../../base/errors/errors.ts';
import type { LogPosition } from './homeLog.ts';
import { FORGET_OUTGOING, readLogPosition } from './outgoing.ts';
import { FORGET_OUTSIDE_WRITES } from './outsideWrites.ts';
import { toStateReader } from './fileStanding.ts';

/** A copy of the state that can be a checkpoint. */
export interface SettledCopy extends LogPosition {
  /** Version of its schema. */
  storeVersion: number;
}

/**
 * Checks a copy, and takes out what is of the file that it was made of alone: entries that wait, and what was written
 * outside of entries, which the copy has. Throws SvcError `store-failed` for a copy that is damaged or has no log.
 */
export function settleCheckpointCopy(file: string): SettledCopy {
  const db = new DatabaseSync(file);
  try {
    const reader = toStateReader(db);
    const integrity = String(reader.get('PRAGMA integrity_check(1)')?.integrity_check);
    if (integrity !== 'ok')
      throw new SvcError(
        'store-failed',
        `The state is damaged, and no copy of it is sent to the control plane: ${integrity}. svc doctor shows more.`,
      );
    db.exec(
      `PRAGMA secure_delete = ON; BEGIN; ${FORGET_OUTGOING}; ${FORGET_OUTSIDE_WRITES}; COMMIT`,
    );
    const position = readLogPosition(reader);
    if (position === null) throw new SvcError('store-failed', 'The copied state has no log.');
    return {
      ...position,
      storeVersion: Number(reader.get('PRAGMA user_version')?.user_version),
    };
  } finally {
    db.close();
  }
}
