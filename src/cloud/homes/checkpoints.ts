import { createHash } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import {
  CHECKPOINT_PART_BYTES,
  type CheckpointBody,
  type HomeCheckpoint,
  MAX_CHECKPOINT_PARTS,
} from '../../contract/schema/cloud/home.ts';
import type { Database, Sql, TransactionSql } from '../database/database.ts';
import type { CloudContext, StoreContext } from '../server/cloudContext.ts';
import { createNoHomeError } from './homeErrors.ts';
import { findHome, type HomeRow, lockHome } from './homeRows.ts';

/** Entries that a checkpoint may be uploaded for before it is in the log. */
const MOST_AHEAD = 100_000;

async function requireHome(sql: Sql, runnerId: string): Promise<HomeRow> {
  const home = await findHome(sql, runnerId);
  if (home === null) throw createNoHomeError();
  return home;
}

/** A complete checkpoint, and where the parts of one that replaces it begin. */
interface CompleteCheckpoint {
  sha256: string;
  storeVersion: number;
  next: number;
}

async function findComplete(
  sql: Sql | TransactionSql,
  logId: number,
  n: number,
): Promise<CompleteCheckpoint | null> {
  const [row] = await sql<CompleteCheckpoint[]>`
    select sha256, store_version as "storeVersion", first_part + parts as next from checkpoints
    where log_id = ${logId} and n = ${n}`;
  return row ?? null;
}

/** The uploaded parts of a checkpoint that is not complete: an upload that was interrupted continues after them. */
export async function listParts(sql: Sql, runnerId: string, n: number) {
  const { logId } = await requireHome(sql, runnerId);
  const first = (await findComplete(sql, logId, n))?.next ?? 0;
  const parts = await sql<{ part: number; sha256: string; bytes: number }[]>`
    select part - ${first} as part, sha256, length(body) as bytes from checkpoint_parts
    where log_id = ${logId} and n = ${n} and part >= ${first} order by part`;
  return { parts: parts.map((part) => ({ ...part })) };
}

export interface UploadedPart {
  n: number;
  part: number;
  /** What the sender says that the bytes are. */
  sha256: string;
  body: Buffer;
}

/**
 * Stores a part, of a checkpoint that replaces the complete one at this entry if there is one. Throws SvcError `invalid`
 * where its bytes are others, and `conflict` for an entry that the log cannot have yet.
 */
export async function putPart(
  { database, clock }: StoreContext,
  runnerId: string,
  { n, part, sha256: givenHash, body }: UploadedPart,
): Promise<void> {
  if (part >= MAX_CHECKPOINT_PARTS)
    throw new SvcError('too-large', `A checkpoint has at most ${MAX_CHECKPOINT_PARTS} parts.`);
  if (body.length === 0 || sha256(body) !== givenHash)
    throw new SvcError('invalid', 'The bytes of the part do not have the SHA-256 of its header.');
  const { sql } = database;
  const { logId, head } = await requireHome(sql, runnerId);
  if (n > head + MOST_AHEAD)
    throw new SvcError('conflict', `The log of this home ends at entry ${head}.`);
  const first = (await findComplete(sql, logId, n))?.next ?? 0;
  await sql`
    insert into checkpoint_parts (log_id, n, part, sha256, body, uploaded_at)
    values (${logId}, ${n}, ${first + part}, ${givenHash}, ${body}, ${new Date(clock.now())})
    on conflict (log_id, n, part) do update set sha256 = excluded.sha256, body = excluded.body,
      uploaded_at = excluded.uploaded_at`;
}

/** Reads the parts again from the database, so that the stored bytes are measured, not the received ones. */
async function measureParts(
  sql: Sql,
  logId: number,
  { n, first, parts }: { n: number; first: number; parts: number },
): Promise<{ bytes: number; sha256: string }> {
  const whole = createHash('sha256');
  let bytes = 0;
  for (let part = 0; part < parts; part += 1) {
    const [row] = await sql<{ body: Buffer }[]>`
      select body from checkpoint_parts where log_id = ${logId} and n = ${n} and part = ${first + part}`;
    if (row === undefined) throw new SvcError('invalid', `Part ${part} is missing. Upload it.`);
    const isLast = part === parts - 1;
    if (!isLast && row.body.length !== CHECKPOINT_PART_BYTES)
      throw new SvcError('invalid', `Part ${part} must have ${CHECKPOINT_PART_BYTES} bytes.`);
    whole.update(row.body);
    bytes += row.body.length;
  }
  return { bytes, sha256: whole.digest('hex') };
}

const createOlderError = (n: number, { storeVersion }: CompleteCheckpoint): SvcError =>
  new SvcError(
    'conflict',
    `The checkpoint at entry ${n} has schema version ${storeVersion}: one of an older schema does not replace it.`,
  );

const createReplacedError = (n: number): SvcError =>
  new SvcError('conflict', `Another checkpoint at entry ${n} was completed meanwhile.`);

/**
 * Completes a checkpoint. It replaces an earlier one of the same entry, since a migration or a cleanup changes the
 * state without an entry. Throws SvcError `invalid` if it differs from what was announced, and `conflict` if it has
 * another history than the log, or an older schema than the checkpoint that it replaces.
 */
export async function completeCheckpoint(
  { database, clock }: { database: Database; clock: CloudContext['clock'] },
  runnerId: string,
  { n, ...given }: CheckpointBody & { n: number },
): Promise<HomeCheckpoint> {
  const { logId } = await requireHome(database.sql, runnerId);
  const checkpoint = { n, ...given };
  const knownCheckpoint = await findComplete(database.sql, logId, n);
  if (knownCheckpoint?.sha256 === given.sha256) return checkpoint;
  if (knownCheckpoint !== null && given.storeVersion < knownCheckpoint.storeVersion)
    throw createOlderError(n, knownCheckpoint);
  const first = knownCheckpoint?.next ?? 0;
  const measuredParts = await measureParts(database.sql, logId, { ...checkpoint, first });
  if (measuredParts.bytes !== given.bytes || measuredParts.sha256 !== given.sha256)
    throw new SvcError(
      'invalid',
      'The parts together do not have this size and SHA-256. Compare GET …/parts, and upload those that differ.',
    );
  await database.confirm(() =>
    database.transaction(async (sql) => {
      const home = await lockHome(sql, runnerId);
      if (home === null || home.logId !== logId) throw createNoHomeError();
      const [entry] = await sql`
        select hash from commits where log_id = ${logId} and n = ${n}
        union all select hash from homes where runner_id = ${runnerId} and head = ${n}
        union all select after_hash from homes where runner_id = ${runnerId} and entries_after = ${n}`;
      if (entry === undefined || entry.hash !== given.hash)
        throw new SvcError('conflict', `The log of this home has another hash at entry ${n}.`);
      // Read again under the lock: only the checkpoint that was measured may be completed.
      if (((await findComplete(sql, logId, n))?.next ?? 0) !== first) throw createReplacedError(n);
      await sql`
        insert into checkpoints (log_id, n, hash, bytes, sha256, store_version, first_part, parts, completed_at)
        values (${logId}, ${n}, ${given.hash}, ${given.bytes}, ${given.sha256}, ${given.storeVersion}, ${first},
          ${given.parts}, ${new Date(clock.now())})
        on conflict (log_id, n) do update set bytes = excluded.bytes, sha256 = excluded.sha256,
          store_version = excluded.store_version, first_part = excluded.first_part, parts = excluded.parts,
          completed_at = excluded.completed_at`;
      await sql`
        update homes set checkpoint_n = greatest(checkpoint_n, ${n}),
          store_version = greatest(store_version, ${given.storeVersion}),
          state = case when state = 'seeding' then 'open' else state end
        where runner_id = ${runnerId}`;
    }),
  );
  return checkpoint;
}

/** The bytes of a complete checkpoint from `from` to `to`, the last one included. */
export async function* readCheckpoint(
  sql: Sql,
  {
    logId,
    n,
    first: firstPart,
    from,
    to,
  }: { logId: number; n: number; first: number; from: number; to: number },
): AsyncGenerator<Buffer> {
  const first = Math.floor(from / CHECKPOINT_PART_BYTES);
  const last = Math.floor(to / CHECKPOINT_PART_BYTES);
  for (let part = first; part <= last; part += 1) {
    const [row] = await sql<{ body: Buffer }[]>`
      select body from checkpoint_parts where log_id = ${logId} and n = ${n} and part = ${firstPart + part}`;
    if (row === undefined) throw new Error('A part of a checkpoint was deleted while it was read.');
    const start = part * CHECKPOINT_PART_BYTES;
    yield row.body.subarray(Math.max(0, from - start), to - start + 1);
  }
}
