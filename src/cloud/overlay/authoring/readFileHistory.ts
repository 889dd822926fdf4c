import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type {
  FileVersion,
  FileVersionText,
} from '../../../contract/schema/workflow/intelligence.ts';
import { checkLayerPath } from '../../../workflows/overlay/writableFile.ts';
import type { Sql } from '../../database/database.ts';
import { readFiles, readFileText } from '../overlayFiles.ts';
import { readVersion } from '../versionRows.ts';

/** Most versions of a file that are named. */
const MAX_NAMED = 50;
/** The versions of the overlay that are searched for changes of a file, newest first. */
const MAX_SEARCHED = 500;

interface ChangeRow {
  version: number;
  created_at: Date;
  author: string;
  proposal_id: string | null;
  digest: string | null;
  earlier: string | null;
}

/** The versions of a team's overlay that changed a file, newest first. Throws SvcError `bad-argument`. */
export async function readFileHistory(
  sql: Sql,
  teamId: string,
  path: string,
): Promise<FileVersion[]> {
  checkLayerPath(path);
  // The oldest version that is searched is only compared with, unless it is the first one.
  const rows = await sql<ChangeRow[]>`
    with searched as (
      select version, created_at, author, proposal_id, files -> ${path} ->> 'sha256' as digest
      from overlay_versions where team_id = ${teamId} order by version desc limit ${MAX_SEARCHED + 1}
    ), compared as (
      select *, lag(digest) over (order by version) as earlier, row_number() over (order by version) as place
      from searched
    )
    select version, created_at, author, proposal_id, digest, earlier from compared
    where digest is distinct from earlier and (place > 1 or version = 1)
    order by version desc limit ${MAX_NAMED}`;
  const files = rows.flatMap(({ digest }) =>
    digest === null ? [] : [{ path: digest, sha256: digest, bytes: 0 }],
  );
  const bodies = await readFiles(sql, teamId, files);
  return rows.map(({ version, created_at, author, proposal_id, digest, earlier }) => ({
    n: version,
    at: toIsoTime(created_at.getTime()),
    author,
    by: 'member',
    proposal: proposal_id,
    change: digest === null ? 'removed' : earlier === null ? 'created' : 'changed',
    chars: digest === null ? 0 : new TextDecoder().decode(bodies.get(digest)).length,
  }));
}

/** The text of a file in a version of the overlay. Throws SvcError `bad-argument` or `not-found`. */
export async function readFileVersion(
  sql: Sql,
  teamId: string,
  { path, n }: { path: string; n: number },
): Promise<FileVersionText> {
  checkLayerPath(path);
  const { files } = await readVersion(sql, teamId, n);
  return { path, n, text: await readFileText(sql, teamId, files, path) };
}
