import type { ProposalAnswer, ProposalPorts } from '../../../machines/index.ts';
import type { EffectOutcome, Port } from '../../kernel/port.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { type ErrorCode, toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { FileVersions } from '../workspace/editing/fileVersions.ts';
import type { TenantFolder } from '../workspace/editing/tenantFolder.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { type ApplyPlan, carryOutPlan, readPlainTextAt } from './applyPlan.ts';
import { checkProposedState, explainUnsoundness } from './checkProposedState.ts';
import { requireProposalRow } from './checkProposal.ts';
import { joinProposedFile } from '../../workflows/proposals/joinProposedFile.ts';
import { toProposalRepo } from './toProposalRepo.ts';
import {
  parseAllowedWarnings,
  requireProposalApproval,
  parseProposedFiles,
  parseApplyPlan,
  type ProposalRow,
} from './proposalRows.ts';
import {
  openProposalPullRequest,
  type PullRequestDeps,
  toProposedPullRequest,
} from './openProposalPullRequest.ts';

export interface ApplyProposalDeps extends PullRequestDeps {
  rows: RowReader;
  workplace: Pick<Workplace, 'overlay'>;
  tenantFolder: TenantFolder;
  versions: Pick<FileVersions, 'keep'>;
  /** Resolves when the rows are durable. */
  commit(rows: RowChange[]): Promise<void>;
}

/** Why a proposal cannot be applied, for the person who asked for it. */
class ProposalConflict extends Error {}

/** Suffix of files that are being written; no layer reads them. */
const toDraftSuffix = (id: string): string => `svc-${id}.tmp`;

/**
 * Merges each file with its current text. Throws {@link ProposalConflict} if that fails, if the
 * result is invalid, or if it has a warning that no one has accepted.
 */
async function planProposalFiles(
  { workplace }: Pick<ApplyProposalDeps, 'workplace'>,
  row: ProposalRow,
  present: (path: string) => Promise<string | null>,
): Promise<ApplyPlan> {
  const plan: { path: string; before: string | null; after: string | null }[] = [];
  for (const file of parseProposedFiles(row)) {
    const current = await present(file.path);
    const { merged, conflicts } = joinProposedFile(file, current);
    const [first] = conflicts;
    if (first)
      throw new ProposalConflict(
        `${file.path} has changed since it was proposed, at line ${first.line} and where the proposal changes it too. Look at both, then reject it or ask for a new one.`,
      );
    plan.push({ path: file.path, before: current, after: merged });
  }
  const files = new Map(plan.map(({ path, after }) => [path, after]));
  const state = await checkProposedState(workplace, { ...row, repo: toProposalRepo(row), files });
  const unsound = explainUnsoundness(state);
  if (unsound !== null)
    throw new ProposalConflict(`Because of later changes, it has an error: ${unsound}`);
  const allowedIds = new Set(parseAllowedWarnings(row));
  const fresh = state.checks.warnings.find(({ id, allow }) => allow && !allowedIds.has(id));
  if (fresh)
    throw new ProposalConflict(
      `Because of later changes, it does something that the approval does not cover: ${fresh.path}: ${fresh.says}`,
    );
  return plan;
}

/** Errors that may be gone a few seconds later. */
const PASSING = new Set<ErrorCode>(['unreachable', 'rate-limited', 'store-failed', 'stopping']);

const isFinalApplyError = (error: unknown): boolean =>
  error instanceof ProposalConflict || (error instanceof SvcError && !PASSING.has(error.code));

const toProposalPatch = (id: string, set: Partial<ProposalRow>): RowChange => ({
  op: 'patch',
  table: 'proposals',
  key: { id },
  set,
});

/**
 * `proposal.apply`: merges a proposal with later changes and writes it. For the team's folder the
 * plan is committed first, so that it is completed after a crash. For a repository a pull request
 * is opened, once.
 */
export const applyProposal =
  (deps: ApplyProposalDeps): Port<ProposalPorts['proposal.apply'], Tables> =>
  async ({ proposalId: id, at }, { effectId, signal }): Promise<EffectOutcome<Tables>> => {
    const row = requireProposalRow(deps.rows, id);
    const answer = (event: ProposalAnswer, rows: RowChange[] = []) => ({ events: [event], rows });
    try {
      if (row.layer === 'repo') {
        const { pr, rows } = await openProposalPullRequest(deps, toProposedPullRequest(row), {
          at,
          effectId,
          signal,
          plan: (present) => planProposalFiles(deps, row, present),
        });
        return answer({ type: 'proposal.applied', link: pr.url }, rows);
      }
      await deps.tenantFolder.inTurn(async (root) => {
        const plan =
          parseApplyPlan(row) ??
          (await planProposalFiles(deps, row, (path) => readPlainTextAt(root, path)));
        if (row.plan === null)
          await deps.commit([toProposalPatch(id, { plan: JSON.stringify(plan) })]);
        await deps.tenantFolder.together(() => carryOutPlan(root, plan, toDraftSuffix(id)));
        const { author, by } = requireProposalApproval(row);
        await deps.versions.keep(plan, { author, by, proposal: id });
      });
      return answer({ type: 'proposal.applied', link: null });
    } catch (error) {
      if (signal.aborted || !isFinalApplyError(error)) throw error;
      return answer({ type: 'proposal.conflicted', problem: toErrorMessage(error) }, [
        toProposalPatch(id, { plan: null }),
      ]);
    }
  };

/**
 * Completes what a crash interrupted, before any job reads the layer. What cannot be completed is
 * left to the port, which reports the reason.
 */
export async function finishApplying({
  rows,
  tenantFolder,
}: Pick<ApplyProposalDeps, 'rows' | 'tenantFolder'>): Promise<void> {
  for (const row of rows.all('proposals', { state: 'applying', layer: 'tenant' })) {
    const plan = parseApplyPlan(row);
    if (plan === null) continue;
    await tenantFolder
      .inTurn((root) =>
        tenantFolder.together(() => carryOutPlan(root, plan, toDraftSuffix(row.id))),
      )
      .catch(() => undefined);
  }
}
