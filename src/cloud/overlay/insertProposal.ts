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
import type { TransactionSql } from '../database/database.ts';
import type { StoreContext } from '../server/cloudContext.ts';
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

export interface StoreParts {
  context: StoreContext;
  readBase(): Promise<Layer>;
}

/** A proposal with who makes it: the runner of an agent, or a member. */
export interface NewProposal {
  id: string;
  teamId: string;
  runnerId: string | null;
  userId: string | null;
  proposal: SentProposal;
}

/** Throws SvcError `bad-argument` or `too-large` for what a proposal may not hold. */
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
  { teamId, proposal }: Pick<NewProposal, 'teamId' | 'proposal'>,
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
    throw new SvcError('workflow-invalid', `The proposed state has an error: ${problem}`, {
      data: { diagnostics: errors },
    });
  return { ...checks, simulated: proposal.simulated };
}

/** Undecided ones of the same job, or of the same member; null = of neither. */
function selectEarlier(
  sql: TransactionSql,
  { id, teamId, runnerId, userId, proposal }: NewProposal,
) {
  const isUndecided = sql`team_id = ${teamId} and state in ('open', 'conflicted') and id <> ${id}`;
  if (userId !== null)
    return sql<StoredProposal[]>`
      ${selectProposals(sql)} where ${isUndecided} and created_by = ${userId}`;
  if (proposal.jobId === null) return null;
  return sql<StoredProposal[]>`
    ${selectProposals(sql)} where ${isUndecided} and runner_id = ${runnerId} and job_id = ${proposal.jobId}`;
}

/** Throws SvcError `not-possible-now` where too many others are left. */
async function supersedeEarlier(
  sql: TransactionSql,
  newProposal: NewProposal,
  now: Date,
): Promise<void> {
  const { id, teamId, userId, proposal } = newProposal;
  const rows = await selectEarlier(sql, newProposal);
  if (rows === null) return;
  const earlier = rows.map((row) => ({
    id: row.id,
    paths: parseContent(row).map(({ path }) => path),
  }));
  const paths = new Set(proposal.files.map(({ path }) => path));
  const replacedProposals = earlier.filter((one) => one.paths.every((path) => paths.has(path)));
  if (earlier.length - replacedProposals.length >= MAX_OPEN_PROPOSALS)
    throw new SvcError(
      'not-possible-now',
      `${MAX_OPEN_PROPOSALS} proposals of ${userId === null ? 'the job' : 'yours'} are still undecided, which is the limit.`,
    );
  for (const one of replacedProposals)
    await sql`
      update proposals set state = 'superseded', superseded_by = ${id}, problem = null, changed_at = ${now}
      where team_id = ${teamId} and id = ${one.id}`;
  if (replacedProposals.length > 0) await noteOverlayChange(sql, teamId);
}

/**
 * Stores a proposal, if none has its id. An undecided one of the same job, or of the same member, whose files are all in
 * it is superseded. Throws SvcError `bad-argument`, `too-large`, `workflow-invalid`, and `not-possible-now` where too
 * many are undecided.
 */
export async function insertProposal(parts: StoreParts, newProposal: NewProposal): Promise<void> {
  const { database, clock } = parts.context;
  const { id, teamId, runnerId, userId, proposal } = newProposal;
  checkSent(proposal);
  const checks = await readChecks(parts, newProposal);
  const now = new Date(clock.now());
  const { kind, hash, jobId, phase } = proposal;
  // Who sends it forgets it then.
  await database.confirm(() =>
    database.transaction(async (sql) => {
      // Proposals of a team are stored in sequence.
      await sql`select 1 from teams where id = ${teamId} for no key update`;
      const { count } = await sql`
        insert into proposals (team_id, id, runner_id, created_by, job_id, phase, kind, description, content, hash,
          checks, warnings, state, created_at, changed_at)
        values (${teamId}, ${id}, ${runnerId}, ${userId}, ${jobId && toStorable(jobId)}, ${phase && toStorable(phase)},
          ${kind}, ${toStorable(proposal.description)}, ${encodeContent(proposal.files)}, ${hash},
          ${formatStoredJson(checks)}::text::jsonb, ${checks.warnings.length}, 'open', ${new Date(proposal.at)}, ${now})
        on conflict do nothing`;
      if (count > 0) await supersedeEarlier(sql, newProposal, now);
    }),
  );
}
