import { SvcError } from '../../base/errors/errors.ts';
import type { ProposalKind, ProposalState } from '../../base/agents/proposals.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { OverlayRepository } from '../../contract/schema/cloud/team.ts';
import type { SentProposalState } from '../../contract/schema/cloud/teamOverlay.ts';
import type {
  Proposal,
  ProposalChecks,
  ProposalSummary,
} from '../../contract/schema/workflow/proposal.ts';
import type { ProposedFile } from '../../workflows/proposals/proposalContent.ts';
import type { Sql, TransactionSql } from '../database/database.ts';

type ProposalDecision = NonNullable<Proposal['approval']>;

/**
 * States of a proposal at the control plane: it is sent once it is checked, and applied in one step, or by a pull
 * request (`applying`).
 */
export type StoredState = Exclude<ProposalState, 'draft'>;

/** Where a pull request applies a proposal, and the person who has asked for it. */
export interface WantedPull extends OverlayRepository {
  userId: string;
  person: string;
}

export interface StoredProposal {
  id: string;
  runner_id: string | null;
  /** The member who has proposed it; null = an agent, or the person is gone. */
  created_by: string | null;
  /** Their name now. */
  proposer: string | null;
  job_id: string | null;
  phase: string | null;
  kind: ProposalKind;
  description: string;
  content: Buffer;
  hash: string;
  checks: ProposalChecks;
  warnings: number;
  state: StoredState;
  problem: string | null;
  approval: ProposalDecision | null;
  allowed: string[];
  rejection: ProposalDecision | null;
  version: number | null;
  superseded_by: string | null;
  /** null = no pull request was ever wanted for it. */
  pull: WantedPull | null;
  pull_attempts: number;
  pull_runner_id: string | null;
  pull_refused_by: string[];
  pull_number: number | null;
  link: string | null;
  created_at: Date;
  changed_at: Date;
}

/** Safe for what only this folder writes. */
export const parseContent = ({ content }: Pick<StoredProposal, 'content'>): ProposedFile[] =>
  JSON.parse(content.toString('utf8')) as ProposedFile[];

export const encodeContent = (files: readonly ProposedFile[]): Buffer =>
  Buffer.from(JSON.stringify(files.map(({ path, base, text }) => ({ path, base, text }))));

/** States in which nothing can change any more. */
export const isOver = ({ state }: Pick<StoredProposal, 'state'>): boolean =>
  state === 'applied' || state === 'rejected' || state === 'superseded';

export const selectProposals = (sql: Sql | TransactionSql) => sql`
  select id, runner_id, created_by, (select name from users where users.id = created_by) as proposer, job_id, phase, kind, description, content, hash, checks, warnings, state, problem, approval,
    allowed, rejection, version, superseded_by, pull, pull_attempts, pull_runner_id, pull_refused_by, pull_number, link,
    created_at, changed_at
  from proposals`;

/** Most ids among which a mistyped one is looked for. */
const MAX_SUGGESTED = 50;

/** Throws SvcError `not-found`. */
export async function readProposal(
  sql: Sql | TransactionSql,
  teamId: string,
  id: string,
): Promise<StoredProposal> {
  const [row] = await sql<StoredProposal[]>`
    ${selectProposals(sql)} where team_id = ${teamId} and id = ${id}`;
  if (row !== undefined) return row;
  const knownRows = await sql<{ id: string }[]>`
    select id from proposals where team_id = ${teamId} order by created_at desc limit ${MAX_SUGGESTED}`;
  const ids = knownRows.map((one) => one.id);
  throw new SvcError('not-found', `Proposal ${id} not found. ${suggestClosestName(id, ids)}`);
}

export const toProposalSummary = (row: StoredProposal): ProposalSummary => ({
  id: row.id,
  kind: row.kind,
  layer: 'tenant',
  repo: null,
  description: row.description,
  state: row.state,
  jobId: row.job_id,
  phase: row.phase,
  ...(row.proposer === null ? {} : { proposer: row.proposer }),
  at: toIsoTime(row.created_at.getTime()),
  since: toIsoTime(row.changed_at.getTime()),
  hash: row.hash,
  paths: parseContent(row).map(({ path }) => path),
  warnings: row.warnings,
  problem: row.problem,
  link: row.link,
  supersededBy: row.superseded_by,
});

export const toSentState = ({
  id,
  hash,
  state,
  approval,
  rejection,
}: StoredProposal): SentProposalState => ({
  id,
  hash,
  state,
  author: (rejection ?? approval)?.author ?? null,
  reason: rejection?.reason ?? null,
});
