import { SvcError } from '../../base/errors/errors.ts';
import { joinProposedFile } from '../../workflows/proposals/joinProposedFile.ts';
import { type Decision, createStateError } from './decideProposal.ts';
import { findJobCreator } from './findJobCreator.ts';
import { makeVersion, ProposalConflict, type VersionParts } from './makeVersion.ts';
import { findOverlayRepository, refuseDirectChange } from './overlayRepository.ts';
import { parseContent, readProposal, type StoredProposal } from './proposalRows.ts';
import { wantPull } from './wantPull.ts';

/** States from which a person applies a proposal. */
const APPLICABLE = ['approved', 'conflicted'] as const;

/** Throws SvcError `forbidden` for the person who proposes it, or whose job does, unless they are alone in the team. */
async function requireOtherPerson(
  { context: { database } }: VersionParts,
  { team, person }: Decision,
  row: StoredProposal,
): Promise<void> {
  const proposerId = row.created_by ?? (await findJobCreator(database.sql, team.id, row));
  if (proposerId !== person.userId) return;
  const [countRow] = await database.sql`
    select count(*) as members from members where team_id = ${team.id}`;
  if (Number(countRow?.members) > 1)
    throw new SvcError(
      'forbidden',
      row.created_by === null
        ? 'You have started the job that proposes this, so another member of the team must apply it.'
        : 'You have proposed this, so another member of the team must apply it.',
    );
}

/** The texts to write by path; null = removed. Throws {@link ProposalConflict}. */
function joinFiles(
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

/**
 * Makes the next version of the overlay from an approved proposal; where the team changes its overlay in a repository,
 * asks a runner for a pull request there instead. Where it cannot be joined with what has changed since, it becomes
 * `conflicted` and nothing else happens. Throws SvcError `forbidden` and `not-possible-now`.
 */
export async function applyTeamProposal(parts: VersionParts, decision: Decision): Promise<void> {
  const { sql } = parts.context.database;
  const { team, person, id } = decision;
  const readRow = async () => {
    const row = await readProposal(sql, team.id, id);
    if (!APPLICABLE.some((state) => state === row.state)) throw createStateError(row, 'apply');
    await requireOtherPerson(parts, decision, row);
    return row;
  };
  const repository = await findOverlayRepository(sql, team.id);
  const change = {
    teamId: team.id,
    author: person,
    states: APPLICABLE,
    readRow,
    join: joinFiles,
    finish: (tx: Parameters<typeof refuseDirectChange>[0]) => refuseDirectChange(tx, team.id),
  };
  if (repository === null) await makeVersion(parts, change);
  else await wantPull(parts, change, repository);
}
