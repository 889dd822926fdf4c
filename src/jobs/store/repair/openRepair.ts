import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import { migrate } from '../../../kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { createLockedError, toLockFilePath } from '../../../kernel/sqlite/openKernelStore.ts';
import { planRepairs, type RepairedState, repairState } from './repairState.ts';
import type { PlannedRepair } from './planRepair.ts';
import type { InspectActor } from './findSuspectRows.ts';

/** A state under repair; no runner can open it meanwhile. */
export interface StateRepair {
  planned: readonly PlannedRepair[];
  /** Approximate bytes of a copy of it. */
  bytes: number;
  /** Copies the state to that file, completely or not at all, then carries out the plan. */
  repair(copy: string): RepairedState;
  close(): void;
}

/** Removes what a killed repair has copied so far. */
function removeDrafts(file: string): void {
  const dir = dirname(file);
  for (const name of readdirSync(dir))
    if (name.startsWith(`${basename(file)}.`) && name.endsWith('.draft'))
      rmSync(join(dir, name), { force: true });
}

const readStateSize = (file: string): number =>
  statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Opens a state.db for a repair and finds what cannot be read. `inspectActor` as for {@link
 * planRepairs}. Throws SvcError `not-found` if it does not exist, `locked` (naming the process) if
 * a runner has it, `store-failed`.
 */
export function openRepair(file: string, now: number, inspectActor?: InspectActor): StateRepair {
  if (!existsSync(file))
    throw new SvcError('not-found', `${file} does not exist: nothing to repair.`);
  let db: Database;
  try {
    db = new Database(file);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'locked')
      throw createLockedError(file, toLockFilePath(file), error);
    throw error;
  }
  try {
    const repairs = planRepairs(db, now, inspectActor);
    return {
      planned: repairs,
      bytes: readStateSize(file) + readStateSize(`${file}-wal`),
      repair(copy) {
        removeDrafts(file);
        db.copyTo(copy);
        migrate(db, MIGRATIONS, { copied: true });
        return repairState(db, repairs, now);
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
