import { toProposalActorId, proposalChart, type ProposalInput } from '../../../machines/index.ts';
import type { ListedProposal, ProposalDraft } from '../../contract/workflow/proposing.ts';
import {
  DEFAULT_PROPOSALS,
  MAX_OPEN_PROPOSALS,
  type ProposalState,
} from '../../base/agents/proposals.ts';
import type { Send } from '../../kernel/contract.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { translateKernelErrors } from '../commands/refusals.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Forges, JobRepo } from '../../providers/forges.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { ProposalSummary } from '../../contract/schema/workflow/proposal.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { checkProposedState } from './checkProposedState.ts';
import { hashProposalContent } from '../../workflows/proposals/proposalContent.ts';
import { checkDraft } from '../../workflows/proposals/checkDraft.ts';
import { resolveDraftLayer, resolveProposedFiles } from './resolveProposedFiles.ts';
import type { LayerTexts, ProposalPlace } from './createLayerTextReader.ts';
import { parseProposedFiles, type ProposalRow, toProposalSummary } from './proposalRows.ts';

export interface ProposingDeps {
  kernel: KernelUse;
  rows: RowReader;
  workplace: Pick<Workplace, 'overlay'>;
  forges: Forges;
  settings: Pick<Settings, 'proposals'>;
  textAt: LayerTexts;
  now(): number;
}

export interface Proposer {
  /** The job whose agent proposes; null = a person. */
  jobId: string | null;
  phase: string | null;
  repo: JobRepo | null;
  /** Sent in the same commit: if it is not taken, nothing is stored. */
  event(proposal: { id: string; kind: string; layer: string; paths: string[] }): Send[];
}

/** States in which no person has decided yet. */
const UNDECIDED = ['draft', 'open', 'conflicted'] as const;

const toProposalPlace = (layer: ProposalPlace['layer'], repo: JobRepo | null): ProposalPlace => {
  if (layer === 'tenant') return { layer, repo: null, provider: null };
  if (repo !== null) return { layer, repo: repo.slug, provider: repo.provider };
  throw new SvcError(
    'bad-argument',
    'This job has no repository, so nothing can be proposed for one. Nothing was stored.',
  );
};

export const createProposals = (deps: ProposingDeps) => {
  const { kernel, rows, textAt } = deps;

  const listUndecided = (jobId: string): ProposalRow[] =>
    UNDECIDED.flatMap((state) => rows.all('proposals', { job_id: jobId, state }));

  /** Undecided proposals of the same job whose files are all in the new one. */
  const replacedBy = (
    jobId: string | null,
    place: ProposalPlace,
    paths: string[],
  ): ProposalRow[] =>
    jobId === null
      ? []
      : listUndecided(jobId).filter(
          (row) =>
            row.layer === place.layer &&
            row.repo === place.repo &&
            parseProposedFiles(row).every(({ path }) => paths.includes(path)),
        );

  return {
    /** Throws SvcError, with nothing stored. */
    async propose(id: string, draft: ProposalDraft, by: Proposer): Promise<ProposalSummary> {
      const proposal = rows.one('proposals', { id });
      if (proposal) return toProposalSummary(proposal);
      checkDraft(draft);
      const layer = resolveDraftLayer(deps.settings.proposals.routing.strategy, draft);
      const place = toProposalPlace(layer, by.repo);
      const files = await resolveProposedFiles(draft, place, textAt);
      const paths = files.map(({ path }) => path);
      const replacedProposals = replacedBy(by.jobId, place, paths);
      const open =
        by.jobId === null ? 0 : listUndecided(by.jobId).length - replacedProposals.length;
      if (open >= MAX_OPEN_PROPOSALS)
        throw new SvcError(
          'not-possible-now',
          `${open} proposals of this job are still undecided, which is the limit. Nothing was stored.`,
        );
      const { kind, description } = draft;
      const texts = new Map(files.map(({ path, text }) => [path, text]));
      const { errors } = await checkProposedState(deps.workplace, {
        layer,
        repo: layer === 'repo' ? by.repo : null,
        files: texts,
      });
      if (errors.length > 0)
        throw new SvcError(
          'workflow-invalid',
          `The proposed state has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}: ${errors
            .slice(0, 5)
            .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
            .join('; ')}. Nothing was stored.`,
          { data: { diagnostics: errors } },
        );
      const hash = hashProposalContent({ kind, layer, repo: place.repo, files });
      const at = deps.now();
      const row: ProposalRow = {
        ...place,
        id,
        job_id: by.jobId,
        phase: by.phase,
        kind,
        description,
        content: JSON.stringify(files),
        hash,
        at,
        state: 'draft',
        since: at,
        checks: null,
        warnings: 0,
        problem: null,
        approval: null,
        allowed: '[]',
        rejection: null,
        plan: null,
        link: null,
        superseded_by: null,
      };
      const input: ProposalInput = { proposalId: id, jobId: by.jobId, hash, createdAt: at };
      const { sends } = await translateKernelErrors(by.jobId ?? id, () =>
        kernel.submit({
          starts: [{ chart: proposalChart.id, id: toProposalActorId(id), input }],
          rows: [{ op: 'put', table: 'proposals', row }],
          sends: [
            ...by.event({ id, kind, layer, paths }),
            ...replacedProposals.map((one) => ({
              to: toProposalActorId(one.id),
              event: { type: 'proposal.supersede', successor: id },
            })),
          ],
          allOrNothing: true,
        }),
      );
      const refusal = sends.find(({ accepted }) => !accepted);
      if (refusal)
        throw new SvcError(
          'not-possible-now',
          'The session has ended, or a proposal that this one replaces was just decided. Nothing was stored; call it again.',
        );
      return toProposalSummary(row);
    },

    /** See `Proposing.listProposals`. */
    listed(jobId: string, repo: JobRepo | null, state: ProposalState | null): ListedProposal[] {
      const where = state === null ? {} : { state };
      const own = rows.all('proposals', { ...where, job_id: jobId });
      const others = UNDECIDED.filter((one) => state === null || one === state)
        .flatMap((one) => rows.all('proposals', { state: one }))
        .filter(
          (row) => row.job_id !== jobId && (row.layer === 'tenant' || row.repo === repo?.slug),
        );
      return [...own, ...others]
        .toSorted((a, b) => b.at - a.at)
        .slice(0, DEFAULT_PROPOSALS)
        .map((row) => ({ ...toProposalSummary(row), reason: readRejectionReason(row) }));
    },
  };
};

export type Proposals = ReturnType<typeof createProposals>;

const readRejectionReason = ({ rejection }: ProposalRow): string | null =>
  rejection === null ? null : (JSON.parse(rejection) as { reason: string | null }).reason;
