import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { OverlayVersion } from '../../contract/schema/cloud/teamOverlay.ts';
import type { Sql, TransactionSql } from '../database/database.ts';

/** Stores a file by its content; one that is stored already stays. */
export async function storeFile(
  sql: TransactionSql,
  teamId: string,
  bytes: Uint8Array,
): Promise<{ sha256: string; bytes: number }> {
  const digest = sha256(bytes);
  await sql`
    insert into overlay_files (team_id, sha256, body) values (${teamId}, ${digest}, ${Buffer.from(bytes)})
    on conflict do nothing`;
  return { sha256: digest, bytes: bytes.length };
}

/** The files of a version by path. */
export async function readFiles(
  sql: Sql,
  teamId: string,
  files: OverlayVersion['files'],
): Promise<Map<string, Uint8Array>> {
  if (files.length === 0) return new Map();
  const digests = JSON.stringify([...new Set(files.map((file) => file.sha256))]);
  const rows = await sql<{ sha256: string; body: Buffer }[]>`
    select sha256, body from overlay_files where team_id = ${teamId}
      and sha256 in (select jsonb_array_elements_text(${digests}::text::jsonb))`;
  const bodies = new Map(rows.map((row) => [row.sha256, row.body]));
  return new Map(
    files.map(({ path, sha256: digest }) => {
      const body = bodies.get(digest);
      if (body === undefined) throw new Error(`The file ${path} of an overlay is not stored.`);
      return [path, body];
    }),
  );
}

/** The text of one file of a version; null = it has no such file. */
export async function readFileText(
  sql: Sql,
  teamId: string,
  files: OverlayVersion['files'],
  path: string,
): Promise<string | null> {
  const file = files.find((one) => one.path === path);
  if (file === undefined) return null;
  const bytes = (await readFiles(sql, teamId, [file])).get(path);
  return new TextDecoder().decode(bytes);
}

/** Sends a file by its content. Throws SvcError `not-found`. */
export async function sendFile(
  ctx: Context,
  sql: Sql,
  teamId: string,
  digest: string,
): Promise<void> {
  const [row] = await sql<{ body: Buffer }[]>`
    select body from overlay_files where team_id = ${teamId} and sha256 = ${digest}`;
  if (row === undefined)
    throw new SvcError('not-found', "The team's overlay has no file with this content.");
  ctx.body = row.body;
  // After the body, which would choose a type itself.
  ctx.type = 'application/octet-stream';
}
