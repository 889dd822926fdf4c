import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';

/** Gives a team a first version of its overlay. */
export async function seedOverlay(
  databaseUrl: string,
  teamId: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const { sql, close } = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
  const list = Object.entries(files).map(([path, text]) => {
    const body = Buffer.from(text);
    return { path, body, sha256: sha256(body), bytes: body.length };
  });
  for (const { sha256: digest, body } of list)
    await sql`
      insert into overlay_files (team_id, sha256, body) values (${teamId}, ${digest}, ${body})
      on conflict do nothing`;
  const manifest = Object.fromEntries(
    list.map(({ path, sha256: digest, bytes }) => [path, { sha256: digest, bytes }]),
  );
  await sql`
    insert into overlay_versions (team_id, version, files, created_at, author)
    values (${teamId}, 1, ${JSON.stringify(manifest)}::text::jsonb, ${new Date()}, 'ada')`;
  await close();
}
