import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { BLOB_PART_BYTES, MAX_HELD_BLOBS } from '../../contract/schema/cloud/home.ts';
import type { Sql } from '../database/database.ts';
import type { StoreContext } from '../server/cloudContext.ts';

/** Stores an artefact of a home that came in one piece. Throws SvcError `invalid` where its bytes are others than its name says. */
export async function putBlob(
  { database, clock }: StoreContext,
  runnerId: string,
  name: string,
  body: Buffer,
): Promise<void> {
  if (sha256(body) !== name)
    throw new SvcError('invalid', 'The bytes do not have the SHA-256 of the address.');
  const store = () =>
    database.transaction(async (sql) => {
      await sql`
        delete from blobs where runner_id = ${runnerId} and sha256 = ${name} and not is_whole`;
      const { count } = await sql`
        insert into blobs (runner_id, sha256, bytes, uploaded_at)
        values (${runnerId}, ${name}, ${body.length}, ${new Date(clock.now())}) on conflict do nothing`;
      if (count === 0) {
        // A write, so that its commit waits for the standby as the first upload did.
        await sql`
          update blobs set uploaded_at = ${new Date(clock.now())} where runner_id = ${runnerId} and sha256 = ${name}`;
        return;
      }
      for (let from = 0, part = 0; from < body.length; from += BLOB_PART_BYTES, part += 1)
        await sql`
          insert into blob_parts (runner_id, sha256, part, body)
          values (${runnerId}, ${name}, ${part}, ${body.subarray(from, from + BLOB_PART_BYTES)})`;
    });
  await database.confirm(store);
}

/** How long an artefact is kept before it is listed, ms: until then the entry that names it may be on its way. */
export const UNLISTED_BLOB_MS = 24 * 3_600_000;

/** Names of artefacts of a home, in order, from the one after `after` on. */
export async function listOldBlobs(
  { database: { sql }, clock }: StoreContext,
  runnerId: string,
  after: string,
): Promise<{ blobs: string[] }> {
  const before = new Date(clock.now() - UNLISTED_BLOB_MS);
  const rows = await sql<{ sha256: string }[]>`
    select sha256 from blobs
    where runner_id = ${runnerId} and sha256 > ${after} and is_whole and uploaded_at < ${before}
    order by sha256 limit ${MAX_HELD_BLOBS}`;
  return { blobs: rows.map(({ sha256: name }) => name) };
}

export const deleteBlob = (sql: Sql, runnerId: string, name: string) =>
  sql`delete from blobs where runner_id = ${runnerId} and sha256 = ${name}`;

async function* readParts(sql: Sql, runnerId: string, name: string, bytes: number) {
  for (let part = 0; part * BLOB_PART_BYTES < bytes; part += 1) {
    const [row] = await sql<{ body: Buffer }[]>`
      select body from blob_parts where runner_id = ${runnerId} and sha256 = ${name} and part = ${part}`;
    if (row === undefined) throw new Error('An artefact was deleted while it was read.');
    yield row.body;
  }
}

/** Sends an artefact; a HEAD request gets its size alone. Throws SvcError `not-found`. */
export async function sendBlob(
  ctx: Context,
  sql: Sql,
  runnerId: string,
  name: string,
): Promise<void> {
  const [row] = await sql<{ bytes: number }[]>`
    select bytes from blobs where runner_id = ${runnerId} and sha256 = ${name} and is_whole`;
  if (row === undefined) throw new SvcError('not-found', 'This home has no such artefact.');
  ctx.status = 200;
  if (ctx.method !== 'HEAD') {
    const body = Readable.from(readParts(sql, runnerId, name, row.bytes), { objectMode: false });
    body.once('error', () => ctx.res.destroy());
    ctx.body = body;
  }
  ctx.type = 'application/octet-stream';
  ctx.length = row.bytes;
}
