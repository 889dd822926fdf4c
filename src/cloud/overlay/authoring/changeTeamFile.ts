import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Diagnostic } from '../../../contract/schema/workflow/diagnostic.ts';
import type { Layer } from '../../../workflows/overlay/layer.ts';
import { checkFileVersion, checkWritablePath } from '../../../workflows/overlay/writableFile.ts';
import type { CallTeam, Person } from '../../server/cloudCall.ts';
import type { StoreContext } from '../../server/cloudContext.ts';
import { compareOverlay } from '../layerStates.ts';
import { readFiles, storeFile } from '../overlayFiles.ts';
import { explainOverlaySize } from '../overlayLimits.ts';
import { refuseDirectChange } from '../overlayRepository.ts';
import { insertVersion, type Manifest, readNewestVersion, toManifest } from '../versionRows.ts';
import { toEtag } from './toEtag.ts';

interface WriteParts {
  context: StoreContext;
  readBase(): Promise<Layer>;
}

export interface FileChange {
  team: CallTeam;
  person: Person;
  path: string;
  /** null = the file is removed. */
  text: string | null;
  /** The version of the file that it replaces; null = it is new. */
  ifMatch: string | null;
}

/** Attempts where others change other files of the overlay at the same time. */
const MOST_ATTEMPTS = 8;

/** The findings that are left. Throws SvcError `workflow-invalid` where the change brings an error. */
function lintChange(
  base: Layer,
  present: ReadonlyMap<string, Uint8Array>,
  { path, text }: FileChange,
): Diagnostic[] {
  const { checks, errors } = compareOverlay(base, present, new Map([[path, text]]));
  if (errors.length > 0)
    throw new SvcError(
      'workflow-invalid',
      `With this change, the overlay has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}; nothing was changed.`,
      { data: { diagnostics: errors } },
    );
  return checks.findings;
}

/** One attempt; null = someone else has made a version meanwhile. */
async function tryChange({ context, readBase }: WriteParts, change: FileChange) {
  const { database, clock } = context;
  const { team, person, path, text, ifMatch } = change;
  const newest = await readNewestVersion(database.sql, team.id);
  const current = newest.files.find((file) => file.path === path);
  if (text === null && current === undefined)
    throw new SvcError('not-found', `The team's overlay has no ${path}.`);
  checkFileVersion(path, toEtag(current), ifMatch);
  const present = await readFiles(database.sql, team.id, newest.files);
  const diagnostics = lintChange(await readBase(), present, change);
  const bytes = text === null ? null : new TextEncoder().encode(text);
  const etag = bytes === null ? null : toEtag({ sha256: sha256(bytes) });
  if (etag !== null && etag === toEtag(current)) return { etag, diagnostics };
  const files: Record<string, Manifest[string]> = { ...toManifest(newest.files) };
  if (bytes === null) delete files[path];
  else files[path] = { sha256: sha256(bytes), bytes: bytes.length };
  const size = explainOverlaySize(Object.entries(files).map(([at, one]) => ({ path: at, ...one })));
  if (size !== null) throw new SvcError('too-large', size);
  const newVersion = {
    teamId: team.id,
    version: newest.version + 1,
    files,
    author: person,
    proposalId: null,
    restores: null,
    now: new Date(clock.now()),
  };
  const isMade = await database.confirm(() =>
    database.transaction(async (sql) => {
      await refuseDirectChange(sql, team.id);
      if (bytes !== null) await storeFile(sql, team.id, bytes);
      return insertVersion(sql, newVersion);
    }),
  );
  return isMade ? { etag, diagnostics } : null;
}

/**
 * Makes the next version of a team's overlay with one file changed: a compare-and-set of the newest version. Changes
 * of other files meanwhile are kept. Throws SvcError `bad-argument`, `not-found`, `precondition-required`,
 * `precondition-failed`, `workflow-invalid`, `too-large` and `not-possible-now`.
 */
export async function changeTeamFile(
  parts: WriteParts,
  change: FileChange,
): Promise<{ etag: string | null; diagnostics: Diagnostic[] }> {
  checkWritablePath(change.path);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const result = await tryChange(parts, change);
    if (result !== null) return result;
  }
  throw new SvcError(
    'not-possible-now',
    'Others change the overlay at the same time. Send the request again.',
  );
}
