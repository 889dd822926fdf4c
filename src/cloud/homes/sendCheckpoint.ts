import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import type { Sql } from '../database/database.ts';
import { readCheckpoint } from './checkpoints.ts';
import { findHome } from './homeRows.ts';

/** The bytes that a Range header asks for; null = all. Throws SvcError `bad-argument` for one that is not understood. */
export function parseRange(header: string, bytes: number): { from: number; to: number } | null {
  if (header === '') return null;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? [];
  const from = Number(first);
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first === undefined || from > to)
    throw new SvcError(
      'bad-argument',
      `The checkpoint has ${bytes} bytes. Ask for them with Range: bytes=<first>-<last>, or <first>-.`,
    );
  return { from, to };
}

/** Sends a complete checkpoint, or a range of its bytes. Throws SvcError `not-found`. */
export async function sendCheckpoint(
  ctx: Context,
  sql: Sql,
  runnerId: string,
  n: number,
): Promise<void> {
  const home = await findHome(sql, runnerId);
  const [row] = await sql<{ bytes: number; first: number }[]>`
    select bytes, first_part as first from checkpoints where log_id = ${home?.logId ?? null} and n = ${n}`;
  if (home === null || row === undefined)
    throw new SvcError('not-found', `This home has no complete checkpoint at entry ${n}.`);
  const bytes = Number(row.bytes);
  const range = parseRange(ctx.get('Range'), bytes);
  const { from, to } = range ?? { from: 0, to: bytes - 1 };
  const body = Readable.from(
    readCheckpoint(sql, { logId: home.logId, n, first: row.first, from, to }),
    {
      objectMode: false,
    },
  );
  body.once('error', () => ctx.res.destroy());
  ctx.status = range === null ? 200 : 206;
  if (range !== null) ctx.set('Content-Range', `bytes ${from}-${to}/${bytes}`);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.body = body;
  ctx.type = 'application/gzip';
  ctx.length = to - from + 1;
}
