import { SvcError } from '../../base/errors/errors.ts';
import type { RestoreOverlayBody } from '../../contract/schema/cloud/teamOverlay.ts';
import type { CallTeam, Person } from '../server/cloudCall.ts';
import type { StoreContext } from '../server/cloudContext.ts';
import { refuseDirectChange } from './overlayRepository.ts';
import { insertVersion, readNewestVersion, readVersion, toManifest } from './versionRows.ts';

/**
 * Makes a next version with the files of an older one: a compare-and-set of the newest version. Throws SvcError
 * `not-found`, `conflict` where someone has made another version meanwhile, and `not-possible-now` for the newest one, and
 * where only pull requests change the overlay.
 */
export async function restoreVersion(
  { database, clock }: StoreContext,
  { team, person }: { team: CallTeam; person: Person },
  { version, newest }: RestoreOverlayBody,
): Promise<void> {
  const old = await readVersion(database.sql, team.id, version);
  const current = await readNewestVersion(database.sql, team.id);
  if (current.version !== newest) throw createNewerError(current.version);
  if (version === newest)
    throw new SvcError('not-possible-now', `Version ${version} is the newest one already.`);
  const newVersion = {
    teamId: team.id,
    version: newest + 1,
    files: toManifest(old.files),
    author: person,
    proposalId: null,
    restores: version,
    now: new Date(clock.now()),
  };
  const isMade = await database.confirm(() =>
    database.transaction(async (sql) => {
      await refuseDirectChange(sql, team.id);
      return insertVersion(sql, newVersion);
    }),
  );
  if (!isMade) throw createNewerError(newest + 1);
}

const createNewerError = (newest: number): SvcError =>
  new SvcError(
    'conflict',
    `The newest version is ${newest} now: someone has changed the overlay meanwhile. Look at it again.`,
    { data: { newest } },
  );
