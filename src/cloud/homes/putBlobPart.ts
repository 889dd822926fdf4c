import { createHash } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import { BLOB_PART_BYTES } from '../../contract/schema/cloud/home.ts';
import type { Sql, TransactionSql } from '../database/database.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import type { BlobRange } from './blobRange.ts';

/** Reads the parts again from the database, so that the stored bytes are checked. Throws SvcError `invalid`. */
async function checkParts(
  sql: Sql | TransactionSql,
  runnerId: string,
  name: string,
  total: number,
): Promise<void> {
  const whole = createHash('sha256');
  for (let part = 0; part * BLOB_PART_BYTES < total; part += 1) {
    const [row] = await sql<{ body: Buffer }[]>`
      select body from blob_parts where runner_id = ${runnerId} and sha256 = ${name} and part = ${part}`;
    if (row === undefined) throw new SvcError('invalid', `Part ${part} is missing. Upload it.`);
    whole.update(row.body);
  }
  if (whole.digest('hex') !== name)
    throw new SvcError('invalid', 'The parts together do not have the SHA-256 of the address.');
}

/**
 * Stores a part of an artefact, which counts from its last part on. A part that comes again changes nothing. Throws
 * SvcError `invalid` where the bytes are others than announced; an upload whose parts do not fit together is forgotten.
 */
export async function putBlobPart(
  { database, clock }: StoreContext,
  runnerId: string,
  name: string,
  { part, bytes, total, body }: BlobRange & { body: Buffer },
): Promise<void> {
  if (body.length !== bytes)
    throw new SvcError('invalid', `The body has ${body.length} bytes, and its range ${bytes}.`);
  const isStored = await database.confirm(() =>
    database.transaction(async (sql) => {
      const [row] = await sql`
        insert into blobs (runner_id, sha256, bytes, uploaded_at, is_whole)
        values (${runnerId}, ${name}, ${total}, ${new Date(clock.now())}, false)
        on conflict (runner_id, sha256) do update set uploaded_at = excluded.uploaded_at
        returning bytes, is_whole`;
      if (row?.is_whole === true) return true;
      if (row?.bytes !== total)
        throw new SvcError('invalid', `An upload of it has begun with ${row?.bytes} bytes in all.`);
      await sql`
        insert into blob_parts (runner_id, sha256, part, body) values (${runnerId}, ${name}, ${part}, ${body})
        on conflict (runner_id, sha256, part) do update set body = excluded.body`;
      return false;
    }),
  );
  if (isStored || part * BLOB_PART_BYTES + bytes < total) return;
  await database
    .confirm(() =>
      database.transaction(async (sql) => {
        await sql`select from blobs where runner_id = ${runnerId} and sha256 = ${name} for update`;
        await checkParts(sql, runnerId, name, total);
        await sql`
          update blobs set is_whole = true where runner_id = ${runnerId} and sha256 = ${name}`;
      }),
    )
    .catch(async (error: unknown) => {
      if (error instanceof SvcError && error.code === 'invalid')
        await database.sql`
          delete from blobs where runner_id = ${runnerId} and sha256 = ${name} and not is_whole`;
      throw error;
    });
}
