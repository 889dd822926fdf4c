import { SvcError } from '../../base/errors/errors.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import { formatFirstError } from '../../workflows/proposals/compareStates.ts';
import { joinProposedFile } from '../../workflows/proposals/joinProposedFile.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { type Decision, createStateError } from './decideProposal.ts';
import { findJobCreator } from './findJobCreator.ts';
import { compareOverlay } from './layerStates.ts';
import { readFiles, storeFile } from './overlayFiles.ts';
import { explainOverlaySize } from './overlayLimits.ts';
import { parseContent, readProposal, type StoredProposal } from './proposalRows.ts';
import { insertVersion, type Manifest, readNewestVersion, toManifest } from './versionRows.ts';

interface ApplyParts {
  context: Pick<CloudContext, 'database' | 'clock'>;
  readBase(): Promise<Layer>;
}

/** Attempts where other proposals of the team are applied at the same time. */
const MOST_ATTEMPTS = 8;

/** Why a proposal cannot be applied, for the person who asked for it. */
class ProposalConflict extends Error {}

/** Another version was made since this one was read. */
class NewerVersion extends Error {}

/** Throws SvcError `forbidden` for the person whose job proposes it, unless they are alone in the team. */
async function requireOtherPerson(
  { context: { database } }: ApplyParts,
  { team, person }: Decision,
  row: StoredProposal,
): Promise<void> {
  if ((await findJobCreator(database.sql, team.id, row)) !== person.userId) return;
  const [counted] = await database.sql`
    select count(*) as members from members where team_id = ${team.id}`;
  if (Number(counted?.members) > 1)
    throw new SvcError(
      'forbidden',
      'You have started the job that proposes this, so another member of the team must apply it.',
    );
}

/** The texts to write by path; null = removed. Throws {@link ProposalConflict}. */
function mergeFiles(
  row: StoredProposal,
  present: ReadonlyMap<string, Uint8Array>,
): Map<string, string | null> {
  const decoder = new TextDecoder();
  return new Map(
    parseContent(row).map((file) => {
      const bytes = present.get(file.path);
      const { merged, conflicts } = joinProposedFile(
        file,
        bytes === undefined ? null : decoder.decode(bytes),
      );
      const [first] = conflicts;
      if (first)
        throw new ProposalConflict(
          `${file.path} has changed since it was proposed, at line ${first.line} and where the proposal changes it too. Look at both, then reject it or ask for a new one.`,
        );
      return [file.path, merged];
    }),
  );
}

/** Throws {@link ProposalConflict} where the result has an error, or a warning that no one has accepted. */
function checkMerged(
  base: Layer,
  row: StoredProposal,
  present: ReadonlyMap<string, Uint8Array>,
  merged: ReadonlyMap<string, string | null>,
): void {
  const { checks, errors } = compareOverlay(base, present, merged);
  const unsound = formatFirstError(errors);
  if (unsound !== null)
    throw new ProposalConflict(`Because of later changes, it has an error: ${unsound}`);
  const fresh = checks.warnings.find(({ id, allow }) => allow && !row.allowed.includes(id));
  if (fresh)
    throw new ProposalConflict(
      `Because of later changes, it does something that the approval does not cover: ${fresh.path}: ${fresh.says}`,
    );
}

async function applyOnce(parts: ApplyParts, decision: Decision, row: StoredProposal) {
  const { database, clock } = parts.context;
  const { team, person, id } = decision;
  const newest = await readNewestVersion(database.sql, team.id);
  const present = await readFiles(database.sql, team.id, newest.files);
  const merged = mergeFiles(row, present);
  checkMerged(await parts.readBase(), row, present, merged);
  const version = newest.version + 1;
  const now = new Date(clock.now());
  await database.confirm(() =>
    database.transaction(async (sql) => {
      const { count } = await sql`
        update proposals set state = 'applied', problem = null, version = ${version}, changed_at = ${now}
        where team_id = ${team.id} and id = ${id} and state in ('approved', 'conflicted')`;
      if (count === 0) throw createStateError(await readProposal(sql, team.id, id), 'apply');
      const files: Record<string, Manifest[string]> = { ...toManifest(newest.files) };
      for (const [path, text] of merged) {
        if (text === null) delete files[path];
        else files[path] = await storeFile(sql, team.id, new TextEncoder().encode(text));
      }
      const size = explainOverlaySize(
        Object.entries(files).map(([path, one]) => ({ path, ...one })),
      );
      if (size !== null) throw new ProposalConflict(size);
      const newVersion = { teamId: team.id, version, files, author: person, proposalId: id, now };
      if (!(await insertVersion(sql, { ...newVersion, restores: null }))) throw new NewerVersion();
    }),
  );
}

/**
 * Makes the next version of the overlay from an approved proposal, all of its files or none: a compare-and-set of the
 * newest version. Where it cannot be joined with what has changed since, it becomes `conflicted` and nothing else
 * happens. Throws SvcError `forbidden` and `not-possible-now`.
 */
export async function applyTeamProposal(parts: ApplyParts, decision: Decision): Promise<void> {
  const { database, clock } = parts.context;
  const { team, id } = decision;
  for (let attempt = 1; ; attempt += 1) {
    const row = await readProposal(database.sql, team.id, id);
    if (row.state !== 'approved' && row.state !== 'conflicted')
      throw createStateError(row, 'apply');
    await requireOtherPerson(parts, decision, row);
    try {
      return await applyOnce(parts, decision, row);
    } catch (error) {
      if (error instanceof NewerVersion && attempt < MOST_ATTEMPTS) continue;
      if (error instanceof NewerVersion)
        throw new SvcError(
          'not-possible-now',
          'Others change the overlay at the same time. Apply it again.',
        );
      if (!(error instanceof ProposalConflict || isLasting(error))) throw error;
      await database.sql`
        update proposals set state = 'conflicted', problem = ${error.message}, changed_at = ${new Date(clock.now())}
        where team_id = ${team.id} and id = ${id} and state in ('approved', 'conflicted')`;
      return;
    }
  }
}

const isLasting = (error: unknown): error is SvcError =>
  error instanceof SvcError && error.code === 'workflow-invalid';
