import { SvcError } from '../../../base/errors/errors.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { ProposeFileBody } from '../../../contract/schema/cloud/teamOverlay.ts';
import { checkFileVersion, checkWritablePath } from '../../../workflows/overlay/writableFile.ts';
import { findProposalKind } from '../../../workflows/proposals/checkDraft.ts';
import { hashProposalContent } from '../../../workflows/proposals/proposalContent.ts';
import type { CallTeam, Person } from '../../server/cloudCall.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { insertProposal, type StoreParts } from '../insertProposal.ts';
import { readFileText } from '../overlayFiles.ts';
import { readNewestVersion } from '../versionRows.ts';
import { toEtag } from './toEtag.ts';

interface ProposeParts extends StoreParts {
  context: Pick<CloudContext, 'database' | 'clock' | 'ids'>;
}

/** Where the file and its author are. */
export interface ProposedChange {
  team: Pick<CallTeam, 'id'>;
  person: Pick<Person, 'userId'>;
  path: string;
}

/**
 * Stores what a member would change in one file of the team's overlay as a proposal, and gives its id. Throws SvcError
 * `bad-argument`, `not-found`, `precondition-required`, `precondition-failed`, `workflow-invalid`, `too-large`, and
 * `not-possible-now` where nothing would change or too many of theirs are undecided.
 */
export async function proposeTeamFile(
  parts: ProposeParts,
  { team, person, path }: ProposedChange,
  { description, text, etag }: ProposeFileBody,
): Promise<string> {
  checkWritablePath(path);
  const kind = findProposalKind(path);
  if (kind === null)
    throw new SvcError(
      'bad-argument',
      `${path} cannot be proposed: it is no workflow, agent, skill or memory. An admin can save it.`,
    );
  const { database, clock, ids } = parts.context;
  const { files } = await readNewestVersion(database.sql, team.id);
  const current = files.find((file) => file.path === path);
  if (text === null && current === undefined)
    throw new SvcError('not-found', `The team's overlay has no ${path}.`);
  checkFileVersion(path, toEtag(current), etag);
  const base = await readFileText(database.sql, team.id, files, path);
  if (text === base)
    throw new SvcError('not-possible-now', `${path} has this text already: nothing would change.`);
  const proposedFiles = [{ path, base, text }];
  const id = ids.next();
  await insertProposal(parts, {
    id,
    teamId: team.id,
    runnerId: null,
    userId: person.userId,
    proposal: {
      kind,
      description,
      files: proposedFiles,
      hash: hashProposalContent({ kind, layer: 'tenant', repo: null, files: proposedFiles }),
      jobId: null,
      phase: null,
      at: toIsoTime(clock.now()),
      simulated: [],
    },
  });
  return id;
}
