import type { OverlayRepository } from '../../contract/schema/cloud/team.ts';
import { formatStoredJson } from '../server/formatStoredJson.ts';
import {
  checkMerged,
  isProposalConflict,
  markConflicted,
  type VersionParts,
  type WantedVersion,
} from './makeVersion.ts';
import { readFiles } from './overlayFiles.ts';
import { formatRepository } from './overlayRepository.ts';
import type { StoredProposal } from './proposalRows.ts';
import { noteOverlayChange, readNewestVersion } from './versionRows.ts';

/** What applying it to the newest version would do; throws why it would not. */
async function checkBeforehand(
  { context: { database }, readBase }: VersionParts,
  { teamId, join }: Pick<WantedVersion, 'teamId' | 'join'>,
  row: StoredProposal,
): Promise<void> {
  const newest = await readNewestVersion(database.sql, teamId);
  const present = await readFiles(database.sql, teamId, newest.files);
  checkMerged(await readBase(), row, present, join(row, present));
}

/**
 * Asks the runners of the team for the pull request that applies a proposal: it is `applying` until that is merged,
 * closed or impossible. Where it could not be applied now either, it becomes `conflicted` instead.
 */
export async function wantPull(
  parts: VersionParts,
  request: Pick<WantedVersion, 'teamId' | 'states' | 'readRow' | 'join'> & {
    author: { userId: string; name: string };
  },
  repository: OverlayRepository,
): Promise<void> {
  const { database, clock } = parts.context;
  const { teamId, author, states } = request;
  const row = await request.readRow();
  const { id } = row;
  const now = new Date(clock.now());
  try {
    await checkBeforehand(parts, request, row);
  } catch (error) {
    if (!isProposalConflict(error)) throw error;
    await markConflicted(database.sql, { teamId, id, states }, { problem: error.message, now });
    return;
  }
  const pull = formatStoredJson({ ...repository, userId: author.userId, person: author.name });
  const problem = `No runner has opened the pull request in ${formatRepository(repository)} yet.`;
  const isWanted = await database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`
        update proposals set state = 'applying', problem = ${problem}, changed_at = ${now},
          pull = ${pull}::text::jsonb, pull_attempts = pull_attempts + 1, pull_runner_id = null,
          pull_refused_by = '[]', pull_number = null, link = null
        where team_id = ${teamId} and id = ${id} and pull_attempts = ${row.pull_attempts}
          and state in ('approved', 'conflicted')`;
      if (count > 0) await noteOverlayChange(sql, teamId);
      return count > 0;
    }),
  );
  // Someone else has decided meanwhile: their state is the reason.
  if (!isWanted) await request.readRow();
}
