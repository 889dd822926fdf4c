import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Archiver } from '../../../kernel/sqlite/archive/archiver.ts';
import type { RetentionReader } from '../../store/queries/retentionReader.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { HeldThing, Holding } from './holding.ts';

/** Actors whose rows are measured before other work gets its turn. */
const MEASURED_AT_ONCE = 20;

export interface LogsDeps {
  retention: RetentionReader;
  archiver: Archiver;
  /** Path of state.db, and of the folder of archives. */
  stateDb: string;
  archiveDir: string;
}

/** Journals and logs in state.db, which are moved into archives. */
export const createLogHolding = ({ retention, archiver, stateDb }: LogsDeps): Holding => ({
  async look({ sized, before }) {
    const endedActors = retention.listUnarchived(sized ? Number.MAX_SAFE_INTEGER : before);
    if (!sized) return { things: endedActors.map((one) => ({ ...one, bytes: 0 })), total: 0 };
    const things: HeldThing[] = [];
    let total = 0;
    for (const [n, one] of endedActors.entries()) {
      const bytes = retention.logBytes(one.id);
      things.push({ ...one, bytes });
      total += bytes;
      if (n % MEASURED_AT_ONCE === 0) await nextTurn();
    }
    for (const [n, row] of retention.listUnended().entries()) {
      total += retention.logBytes(retention.idAt(row));
      if (n % MEASURED_AT_ONCE === 0) await nextTurn();
    }
    return { things, total };
  },
  mayGo: (id) => retention.hasFamilyEnded(id),
  async remove({ id }, dryRun) {
    const one = { kind: 'logs', jobId: id, path: stateDb, bytes: retention.logBytes(id) } as const;
    if (dryRun) return { removed: [one] };
    const result = await archiver
      .archive(id)
      .catch((error: unknown) => ({ left: toErrorMessage(error) }));
    if ('left' in result) return { left: [{ jobId: id, path: stateDb, reason: result.left }] };
    // Reports nothing else, since what belongs to a job is archived with it.
    return result.bytes === 0 ? {} : { removed: [one] };
  },
});

/** Archives, which are removed for good. */
export const createArchiveHolding = ({ retention, archiver, archiveDir }: LogsDeps): Holding => ({
  async look() {
    const things = archiver.sizes().map(({ actor, bytes, at }) => ({
      id: actor,
      since: retention.readSince(actor) ?? at,
      bytes,
    }));
    return { things, total: things.reduce((sum, { bytes }) => sum + bytes, 0) };
  },
  mayGo: (id) => retention.hasFamilyEnded(id),
  async remove({ id, bytes }, dryRun) {
    const removal = [{ kind: 'archives', jobId: id, path: archiveDir, bytes }] as const;
    try {
      if (!dryRun) await archiver.remove(id);
    } catch (error) {
      return { left: [{ jobId: id, path: archiveDir, reason: toErrorMessage(error) }] };
    }
    return { removed: [...removal] };
  },
});
