import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { MAX_ENTRIES, MAX_ENTRIES_BYTES } from '../../contract/schema/cloud/home.ts';
import type { Sql } from '../database/database.ts';
import { createNoHomeError } from './homeErrors.ts';
import { findHome } from './homeRows.ts';

/** Bytes before the head of an entry, which say how long it is. */
const LENGTH_BYTES = 4;
/** Entries that are read by one statement, and most bytes of them. */
const READ_TOGETHER = 64;
const READ_BYTES = 4 * 1024 * 1024;

interface ListedEntry {
  n: number;
  generation: number;
  hash: string;
  size: number;
}

function encodeHead({ n, generation, hash, size }: ListedEntry): Buffer {
  const head = Buffer.from(JSON.stringify({ n, generation, hash, size }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head]);
}

/** As many of the entries as one reply has. */
function cutEntries(entries: readonly ListedEntry[], most: number): readonly ListedEntry[] {
  let bytes = 0;
  const end = entries.findIndex(({ size }, index) => {
    bytes += size;
    return index > 0 && bytes > most;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Their bodies in order, a few at a time. Throws if one is missing: the reply is then incomplete. */
async function* readBodies(
  sql: Sql,
  logId: number,
  entries: readonly ListedEntry[],
): AsyncGenerator<Buffer> {
  for (let rest = entries; rest.length > 0; ) {
    const together = cutEntries(rest.slice(0, READ_TOGETHER), READ_BYTES);
    rest = rest.slice(together.length);
    const rows = await sql<{ n: number; body: Buffer | null }[]>`
      select n, body from commits
      where log_id = ${logId} and n between ${together[0]?.n ?? 0} and ${together.at(-1)?.n ?? 0} order by n`;
    const bodies = new Map(rows.map(({ n, body }) => [Number(n), body]));
    for (const entry of together) {
      const body = bodies.get(entry.n);
      if (body === undefined) throw new Error('An entry was deleted while it was read.');
      yield encodeHead(entry);
      if (body !== null) yield body;
      else yield* readParts(sql, logId, entry);
    }
  }
}

async function* readParts(sql: Sql, logId: number, { n, size }: ListedEntry) {
  let bytes = 0;
  for (let part = 0; bytes < size; part += 1) {
    const [row] = await sql<{ body: Buffer }[]>`
      select body from commit_parts where log_id = ${logId} and n = ${n} and part = ${part}`;
    if (row === undefined) throw new Error('A part of an entry was deleted while it was read.');
    bytes += row.body.length;
    yield row.body;
  }
}

/** Sends entries one behind the other, as the table of routes says. Throws SvcError `not-found` for those not kept. */
export async function sendEntries(
  ctx: Context,
  sql: Sql,
  runnerId: string,
  { after, limit = MAX_ENTRIES }: { after: number; limit?: number },
): Promise<void> {
  const home = await findHome(sql, runnerId);
  if (home === null) throw createNoHomeError();
  if (after < home.entriesAfter)
    throw new SvcError(
      'not-found',
      `Entries up to ${home.entriesAfter} are no longer kept. Take the checkpoint.`,
      { data: { entriesAfter: home.entriesAfter } },
    );
  const rows = await sql<ListedEntry[]>`
    select n, generation, hash, size from commits where log_id = ${home.logId} and n > ${after}
    order by n limit ${limit}`;
  const entries = cutEntries(rows, MAX_ENTRIES_BYTES);
  const heads = entries.reduce((sum, entry) => sum + encodeHead(entry).length + entry.size, 0);
  const bytes = Readable.from(readBodies(sql, home.logId, entries), { objectMode: false });
  // The reply has begun: only its end can say that it is incomplete.
  bytes.once('error', () => ctx.res.destroy());
  ctx.body = bytes;
  ctx.type = 'application/octet-stream';
  ctx.length = heads;
}
