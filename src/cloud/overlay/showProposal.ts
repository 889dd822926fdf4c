import type {
  Proposal,
  ProposalFile,
  ProposalsQuery,
} from '../../contract/schema/workflow/proposal.ts';
import type { ProposalSummary } from '../../contract/schema/workflow/proposal.ts';
import { DEFAULT_PROPOSALS, WAITING_PROPOSALS } from '../../base/agents/proposals.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import { toProposalFile } from '../../workflows/proposals/joinProposedFile.ts';
import type { Sql } from '../database/database.ts';
import { readFileText } from './overlayFiles.ts';
import {
  isOver,
  parseContent,
  readProposal,
  selectProposals,
  type StoredProposal,
  toProposalSummary,
} from './proposalRows.ts';
import { readNewestVersion, readVersion } from './versionRows.ts';

/** A page of a team's proposals, newest first. */
export async function listProposals(
  sql: Sql,
  teamId: string,
  { state, needs, job, limit = DEFAULT_PROPOSALS, offset = 0 }: ProposalsQuery,
): Promise<{ proposals: ProposalSummary[]; total: number }> {
  const waiting = JSON.stringify(WAITING_PROPOSALS);
  const condition = sql`team_id = ${teamId}
    ${state === undefined ? sql`` : sql`and state = ${state}`}
    ${needs === undefined ? sql`` : sql`and state in (select jsonb_array_elements_text(${waiting}::text::jsonb))`}
    ${job === undefined ? sql`` : sql`and job_id = ${job}`}`;
  const [rows, [countRow]] = await Promise.all([
    sql<StoredProposal[]>`${selectProposals(sql)} where ${condition}
      order by created_at desc, id desc limit ${limit} offset ${offset}`,
    sql`select count(*) as total from proposals where ${condition}`,
  ]);
  return { proposals: rows.map(toProposalSummary), total: Number(countRow?.total) };
}

/** Its files beside those of the overlay now; of one that is over, as they were then. */
async function readProposalFiles(
  sql: Sql,
  base: Layer,
  teamId: string,
  row: StoredProposal,
): Promise<ProposalFile[]> {
  const before =
    row.version === null
      ? await readNewestVersion(sql, teamId)
      : await readVersion(sql, teamId, row.version - 1);
  const decoder = new TextDecoder();
  return Promise.all(
    parseContent(row).map(async (file) => {
      const isDecided = isOver(row) && row.version === null;
      const current = isDecided
        ? file.base
        : await readFileText(sql, teamId, before.files, file.path);
      const ofBase = row.kind === 'memory' ? undefined : base.files.get(file.path);
      const replaces = current === null && ofBase !== undefined ? decoder.decode(ofBase) : null;
      return toProposalFile(file, { current, replaces });
    }),
  );
}

/** All of a proposal. Throws SvcError `not-found`. */
export async function showProposal(
  sql: Sql,
  base: Layer,
  teamId: string,
  id: string,
): Promise<Proposal> {
  const row = await readProposal(sql, teamId, id);
  const files = await readProposalFiles(sql, base, teamId, row);
  const { checks, approval, allowed, rejection } = row;
  return {
    ...toProposalSummary(row),
    files,
    checks,
    approval,
    allowed,
    rejection,
    drifted: files.some((file) => file.base !== file.current),
  };
}
