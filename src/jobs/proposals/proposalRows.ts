import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type {
  Proposal,
  ProposalChecks,
  ProposalSummary,
} from '../../contract/schema/workflow/proposal.ts';
import type { ApplyPlan } from './applyPlan.ts';
import type { ProposedFile } from '../../workflows/proposals/proposalContent.ts';

type ProposalApproval = NonNullable<Proposal['approval']>;
export type ProposalRow = Tables['proposals'];

/** Safe for JSON that only this folder writes. */
const parseRowJson = <T>(json: string): T => JSON.parse(json) as T;
const parseRowJsonOrNull = <T>(json: string | null): T | null =>
  json === null ? null : parseRowJson<T>(json);

export const parseProposedFiles = ({ content }: Pick<ProposalRow, 'content'>): ProposedFile[] =>
  parseRowJson<ProposedFile[]>(content);
export const parseProposalChecks = ({
  checks,
}: Pick<ProposalRow, 'checks'>): ProposalChecks | null =>
  parseRowJsonOrNull<ProposalChecks>(checks);
export const parseApplyPlan = ({ plan }: Pick<ProposalRow, 'plan'>): ApplyPlan | null =>
  parseRowJsonOrNull<ApplyPlan>(plan);
/** The approval of a proposal that is being applied, which always has one. */
export const requireProposalApproval = ({
  approval,
}: Pick<ProposalRow, 'approval'>): ProposalApproval => {
  const approvalFields = parseRowJsonOrNull<ProposalApproval>(approval);
  if (approvalFields) return approvalFields;
  throw new Error('a proposal without an approval is applied');
};
export const parseAllowedWarnings = ({ allowed }: Pick<ProposalRow, 'allowed'>): string[] =>
  parseRowJson<string[]>(allowed);

/** States in which nothing can change any more. */
export const isProposalOver = ({ state }: Pick<ProposalRow, 'state'>): boolean =>
  state === 'applied' || state === 'rejected' || state === 'superseded';

export const toProposalSummary = (row: ProposalRow): ProposalSummary => ({
  id: row.id,
  kind: row.kind,
  layer: row.layer,
  repo: row.repo,
  description: row.description,
  state: row.state,
  jobId: row.job_id,
  phase: row.phase,
  at: toIsoTime(row.at),
  since: toIsoTime(row.since),
  hash: row.hash,
  paths: parseProposedFiles(row).map(({ path }) => path),
  warnings: row.warnings,
  problem: row.problem,
  link: row.link,
  supersededBy: row.superseded_by,
});

/** All details, except what depends on the current layer. */
export const toProposalDetails = (
  row: ProposalRow,
): Omit<Proposal, 'files' | 'drifted' | 'folder'> => ({
  ...toProposalSummary(row),
  checks: parseProposalChecks(row),
  approval: parseRowJsonOrNull(row.approval),
  allowed: parseAllowedWarnings(row),
  rejection: parseRowJsonOrNull(row.rejection),
});
