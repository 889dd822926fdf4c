import { iso } from '../domain/isoTime.ts';
import type { Tables } from '../records/tables.ts';
import type { Proposal, ProposalChecks, ProposalSummary } from '../schema/proposal.ts';
import type { ApplyPlan } from './applyPlan.ts';
import type { ProposedFile } from './content.ts';

type Decided = NonNullable<Proposal['approval']>;
export type ProposalRow = Tables['proposals'];

/** Only what this folder has written is read here. */
const parsed = <T>(json: string): T => JSON.parse(json) as T;
const orNull = <T>(json: string | null): T | null => (json === null ? null : parsed<T>(json));

export const filesOf = ({ content }: Pick<ProposalRow, 'content'>): ProposedFile[] =>
  parsed<ProposedFile[]>(content);
export const checksOf = ({ checks }: Pick<ProposalRow, 'checks'>): ProposalChecks | null =>
  orNull<ProposalChecks>(checks);
export const planOf = ({ plan }: Pick<ProposalRow, 'plan'>): ApplyPlan | null =>
  orNull<ApplyPlan>(plan);
/** The approval of one that is applied: it has one. */
export const approvalOf = ({ approval }: Pick<ProposalRow, 'approval'>): Decided => {
  const given = orNull<Decided>(approval);
  if (given) return given;
  throw new Error('a proposal without an approval is applied');
};
export const allowedOf = ({ allowed }: Pick<ProposalRow, 'allowed'>): string[] =>
  parsed<string[]>(allowed);

/** States in which nothing of it can change any more. */
export const isOver = ({ state }: Pick<ProposalRow, 'state'>): boolean =>
  state === 'applied' || state === 'rejected' || state === 'superseded';

export const summaryOf = (row: ProposalRow): ProposalSummary => ({
  id: row.id,
  kind: row.kind,
  layer: row.layer,
  repo: row.repo,
  description: row.description,
  state: row.state,
  jobId: row.job_id,
  phase: row.phase,
  at: iso(row.at),
  since: iso(row.since),
  hash: row.hash,
  paths: filesOf(row).map(({ path }) => path),
  warnings: row.warnings,
  problem: row.problem,
  link: row.link,
  supersededBy: row.superseded_by,
});

/** The whole of it, but for what depends on the layer as it is now. */
export const detailsOf = (row: ProposalRow): Omit<Proposal, 'files' | 'drifted' | 'folder'> => ({
  ...summaryOf(row),
  checks: checksOf(row),
  approval: orNull(row.approval),
  allowed: allowedOf(row),
  rejection: orNull(row.rejection),
});
