import type { DatabaseSync } from '@photostructure/sqlite';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { type StateReader, replaceBigInts } from '../../../kernel/sqlite/database.ts';
import { checkPair } from '../../../kernel/sqlite/pair/checkPair.ts';
import type { PlannedRepair } from './planRepair.ts';
import { planRepairs } from './repairState.ts';
import type { InspectActor } from './findSuspectRows.ts';
import { openToRead } from '../../../kernel/sqlite/openToRead.ts';

/**
 * What a repair of a state.db that no process has open would do, without changing it; or why it
 * cannot be read. `inspectActor` as for {@link planRepairs}. Never throws.
 */
export function inspectRows(
  file: string,
  now: number,
  inspectActor?: InspectActor,
): { planned: PlannedRepair[] } | { problem: string } {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    // SQLite removes the log of an empty state.db, and repairs a truncated one.
    const doubt = checkPair(file);
    if (doubt !== null) return { problem: doubt.detail };
    const opened = openToRead(file);
    db = opened;
    const prepare = (sql: string) => {
      const statement = opened.prepare(sql);
      statement.setReadBigInts(true);
      return statement;
    };
    const reader: StateReader = {
      all: (sql, ...values) => replaceBigInts(prepare(sql).all(...values)),
      get: (sql, ...values) => replaceBigInts(prepare(sql).get(...values)),
    };
    return { planned: planRepairs(reader, now, inspectActor) };
  } catch (error) {
    return { problem: toErrorMessage(error) };
  } finally {
    db?.close();
  }
}
