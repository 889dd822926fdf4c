import type { TransactionSql } from '../database/database.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { ADVISORY_LOCKS } from '../database/advisoryLocks.ts';

/** Between two steps while something is left, and between two looks, ms. */
const STEP_MS = 200;
const LOOK_MS = 10_000;
/** Most rows that one step deletes of a table: a step is over in milliseconds. */
export const STEP_ROWS = 500;
/** How long the log of a revoked runner is kept, ms. */
export const REVOKED_HOME_MS = 30 * 24 * 3_600_000;
/** How long parts of a checkpoint are kept that is never completed, ms. */
export const UNFINISHED_CHECKPOINT_MS = 24 * 3_600_000;
/** The same for an artefact whose last part has not come, ms after its newest one. */
export const UNFINISHED_BLOB_MS = 24 * 3_600_000;
/** Artefacts that one step deletes, each with up to 1,024 parts. */
const STEP_BLOBS = 5;

type CleanupContext = Pick<CloudContext, 'database' | 'clock' | 'log'>;

/** Up to the last but one checkpoint, entries are not needed again: the one before stays, should the newest be damaged. */
const forgetEntries = (sql: TransactionSql) => sql`
  update homes set entries_after = older.n, after_hash = older.hash
  from (select log_id, n, hash, row_number() over (partition by log_id order by n desc) as place from checkpoints) older
  where older.log_id = homes.log_id and older.place = 2 and homes.entries_after < older.n`;

const deleteOldEntries = (sql: TransactionSql) => sql`
  delete from commits where (log_id, n) in (
    select old.log_id, old.n from homes cross join lateral (
      select log_id, n from commits where commits.log_id = homes.log_id and commits.n <= homes.entries_after
      order by n limit ${STEP_ROWS}) old
    limit ${STEP_ROWS})`;

const deleteOldEntryParts = (sql: TransactionSql) => sql`
  delete from commit_parts using homes
  where commit_parts.log_id = homes.log_id and commit_parts.n <= homes.entries_after`;

const deleteOldCheckpoints = (sql: TransactionSql) => sql`
  delete from checkpoints using homes
  where checkpoints.log_id = homes.log_id and checkpoints.n < homes.entries_after`;

/** Parts without a checkpoint: of one that was deleted or replaced, and of an upload that was given up. */
const deleteLeftParts = (sql: TransactionSql, unfinishedBefore: Date) => sql`
  delete from checkpoint_parts where (log_id, n, part) in (
    select log_id, n, part from checkpoint_parts parts
    where not exists (
        select from checkpoints where checkpoints.log_id = parts.log_id and checkpoints.n = parts.n
          and part >= first_part and part < first_part + checkpoints.parts)
      and (uploaded_at < ${unfinishedBefore}
        or exists (
          select from checkpoints where checkpoints.log_id = parts.log_id and checkpoints.n = parts.n
            and part < first_part)
        or exists (select from homes where homes.log_id = parts.log_id and homes.checkpoint_n > parts.n))
    limit ${STEP_ROWS / 10})`;

const deleteUnfinishedBlobs = (sql: TransactionSql, unfinishedBefore: Date) => sql`
  delete from blobs where (runner_id, sha256) in (
    select runner_id, sha256 from blobs where not is_whole and uploaded_at < ${unfinishedBefore}
    order by uploaded_at limit ${STEP_BLOBS}) and not is_whole`;

/** Artefacts of revoked runners, whose state is no longer kept either. */
const deleteBlobsOfRevoked = (sql: TransactionSql, revokedBefore: Date) => sql`
  delete from blobs where (runner_id, sha256) in (
    select runner_id, sha256 from blobs join runners on runners.id = blobs.runner_id
    where runners.revoked_at < ${revokedBefore} limit ${STEP_BLOBS})`;

/** Logs that no home has: of reseeded, deleted and revoked ones. */
async function deleteOldLogs(sql: TransactionSql): Promise<number> {
  const [old] = await sql`select log_id from old_logs order by log_id limit 1`;
  if (old === undefined) return 0;
  const id = old.log_id;
  const commits = await sql`
    delete from commits where log_id = ${id} and n in (
      select n from commits where log_id = ${id} order by n limit ${STEP_ROWS})`;
  const parts = await sql`
    delete from checkpoint_parts where (log_id, n, part) in (
      select log_id, n, part from checkpoint_parts where log_id = ${id} limit ${STEP_ROWS / 10})`;
  await sql`delete from commit_parts where log_id = ${id}`;
  await sql`delete from checkpoints where log_id = ${id}`;
  if (commits.count + parts.count === 0) await sql`delete from old_logs where log_id = ${id}`;
  return commits.count + parts.count + 1;
}

/** Deletes a little of what is no longer needed. true = nothing was left, or another node is at it. */
export async function cleanUpLogs({ database, clock }: CleanupContext): Promise<boolean> {
  const now = clock.now();
  return database.transaction(async (sql) => {
    const [lock] =
      await sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.logCleanup}) as held`;
    if (lock?.held !== true) return true;
    await forgetEntries(sql);
    const entries = await deleteOldEntries(sql);
    await deleteOldEntryParts(sql);
    await deleteOldCheckpoints(sql);
    const parts = await deleteLeftParts(sql, new Date(now - UNFINISHED_CHECKPOINT_MS));
    const blobs = await deleteUnfinishedBlobs(sql, new Date(now - UNFINISHED_BLOB_MS));
    const revokedBefore = new Date(now - REVOKED_HOME_MS);
    await sql`
      delete from homes using runners
      where runners.id = homes.runner_id and runners.revoked_at < ${revokedBefore}`;
    const deletedBlobs = await deleteBlobsOfRevoked(sql, revokedBefore);
    const logs = await deleteOldLogs(sql);
    return entries.count + parts.count + blobs.count + deletedBlobs.count + logs === 0;
  });
}

/** Does so again and again, until the returned function is called. */
export function keepLogsClean(context: CleanupContext): () => Promise<void> {
  const { clock, log } = context;
  let isOver = false;
  let cancel: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const later = (ms: number): void => {
    if (isOver) return;
    cancel = clock.at(clock.now() + ms, () => {
      running = cleanUpLogs(context).then(
        (isClean) => later(isClean ? LOOK_MS : STEP_MS),
        (err: unknown) => {
          if (!isOver) log.warn({ err }, 'old entries of homes could not be deleted');
          later(LOOK_MS);
        },
      );
    });
  };
  later(LOOK_MS);
  return async () => {
    isOver = true;
    cancel();
    await running;
  };
}
