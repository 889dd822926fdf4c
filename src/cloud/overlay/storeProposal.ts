import { SvcError } from '../../base/errors/errors.ts';
import { MAX_OPEN_PROPOSALS } from '../../base/agents/proposals.ts';
import type { SentProposal } from '../../contract/schema/cloud/teamOverlay.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import {
  checkDraft,
  createDraftError,
  explainUnfitKindPath,
} from '../../workflows/proposals/checkDraft.ts';
import { formatFirstError } from '../../workflows/proposals/compareStates.ts';
import { hashProposalContent } from '../../workflows/proposals/proposalContent.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { formatStoredJson, toStorable } from '../server/formatStoredJson.ts';
import { compareOverlay } from './layerStates.ts';
import { readFiles } from './overlayFiles.ts';
import {
  encodeContent,
  parseContent,
  selectProposals,
  type StoredProposal,
} from './proposalRows.ts';
import { noteOverlayChange, readNewestVersion } from './versionRows.ts';

interface StoreParts {
  context: Pick<CloudContext, 'database' | 'clock'>;
  readBase(): Promise<Layer>;
}

/** The runner is not believed: what a proposal may hold is checked again. Throws SvcError `bad-argument` or `too-large`. */
function checkSent(proposal: SentProposal): void {
  checkDraft(proposal);
  for (const { path, base } of proposal.files) {
    const problem = explainUnfitKindPath(proposal.kind, path, base !== null);
    if (problem !== null) throw createDraftError(`The proposal cannot be taken: ${problem}.`);
  }
  const { kind, files, hash } = proposal;
  if (hashProposalContent({ kind, layer: 'tenant', repo: null, files }) !== hash)
    throw createDraftError('The hash is not that of the content.');
}

/** What a person should know of it, with the overlay as it is. Throws SvcError `workflow-invalid`. */
async function readChecks(
  { context: { database }, readBase }: StoreParts,
  teamId: string,
  proposal: SentProposal,
) {
  const { files } = await readNewestVersion(database.sql, teamId);
  const texts = new Map(proposal.files.map(({ path, text }) => [path, text]));
  const { checks, errors } = compareOverlay(
    await readBase(),
    await readFiles(database.sql, teamId, files),
    texts,
  );
  const problem = formatFirstError(errors);
  if (problem !== null)
    throw new SvcError('workflow-invalid', `The proposed state has an error: ${problem}`);
  return { ...checks, simulated: proposal.simulated };
}

/**
 * Stores a proposal that a runner sends, once: a repeat changes nothing. An undecided one of the same job whose files
 * are all in it is superseded. Throws SvcError `bad-argument`, `too-large`, `workflow-invalid`; `conflict` where
 * another proposal has the id, and `not-possible-now` where too many of the job are undecided.
 */
export async function storeProposal(
  parts: StoreParts,
  { teamId, runnerId }: Pick<CallingRunner, 'teamId' | 'runnerId'>,
  id: string,
  proposal: SentProposal,
): Promise<void> {
  const { database, clock } = parts.context;
  const earlierProposal = await findSent(parts, teamId, id);
  if (earlierProposal !== undefined) return refuseOther(earlierProposal, runnerId, proposal.hash);
  checkSent(proposal);
  const checks = await readChecks(parts, teamId, proposal);
  const now = new Date(clock.now());
  const { kind, hash, jobId, phase } = proposal;
  const store = () =>
    database.transaction(async (sql) => {
      // Proposals of a team are stored in sequence.
      await sql`select 1 from teams where id = ${teamId} for no key update`;
      const { count } = await sql`
        insert into proposals (team_id, id, runner_id, job_id, phase, kind, description, content, hash, checks, warnings,
          state, created_at, changed_at)
        values (${teamId}, ${id}, ${runnerId}, ${jobId && toStorable(jobId)}, ${phase && toStorable(phase)}, ${kind},
          ${toStorable(proposal.description)}, ${encodeContent(proposal.files)}, ${hash},
          ${formatStoredJson(checks)}::text::jsonb, ${checks.warnings.length}, 'open', ${new Date(proposal.at)}, ${now})
        on conflict do nothing`;
      if (count === 0 || jobId === null) return;
      const earlier = (
        await sql<StoredProposal[]>`${selectProposals(sql)} where team_id = ${teamId}
          and runner_id = ${runnerId} and job_id = ${jobId} and state in ('open', 'conflicted') and id <> ${id}`
      ).map((row) => ({ id: row.id, paths: parseContent(row).map(({ path }) => path) }));
      const paths = new Set(proposal.files.map(({ path }) => path));
      const replacedProposals = earlier.filter((one) => one.paths.every((path) => paths.has(path)));
      if (earlier.length - replacedProposals.length >= MAX_OPEN_PROPOSALS)
        throw new SvcError(
          'not-possible-now',
          `${MAX_OPEN_PROPOSALS} proposals of the job are still undecided, which is the limit.`,
        );
      for (const one of replacedProposals)
        await sql`
          update proposals set state = 'superseded', superseded_by = ${id}, problem = null, changed_at = ${now}
          where team_id = ${teamId} and id = ${one.id}`;
      if (replacedProposals.length > 0) await noteOverlayChange(sql, teamId);
    });
  // The runner forgets that it has to be sent.
  await database.confirm(store);
  const storedProposal = await findSent(parts, teamId, id);
  if (storedProposal !== undefined) refuseOther(storedProposal, runnerId, hash);
}

async function findSent({ context: { database } }: StoreParts, teamId: string, id: string) {
  const [row] = await database.sql<Pick<StoredProposal, 'runner_id' | 'hash'>[]>`
    select runner_id, hash from proposals where team_id = ${teamId} and id = ${id}`;
  return row;
}

function refuseOther(
  storedProposal: Pick<StoredProposal, 'runner_id' | 'hash'>,
  runnerId: string,
  hash: string,
): void {
  if (storedProposal.runner_id !== runnerId || storedProposal.hash !== hash)
    throw new SvcError('conflict', 'The team has another proposal with this ID.');
}
