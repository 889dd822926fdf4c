import { toProposalActorId } from '../../../machines/index.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import {
  DEFAULT_PROPOSALS,
  isWaitingProposal,
  WAITING_PROPOSALS,
} from '../../base/agents/proposals.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { translateKernelErrors } from '../commands/refusals.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { Proposal, ProposalFile } from '../../contract/schema/workflow/proposal.ts';
import type { TenantFolder } from '../workspace/editing/tenantFolder.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { checkProposalDecider } from './checkProposalDecider.ts';
import { toProposalFile } from '../../workflows/proposals/joinProposedFile.ts';
import type { LayerTexts } from './createLayerTextReader.ts';
import { toProposalRepo } from './toProposalRepo.ts';
import {
  parseProposalChecks,
  toProposalDetails,
  parseProposedFiles,
  isProposalOver,
  parseApplyPlan,
  toProposalSummary,
  type ProposalRow,
} from './proposalRows.ts';
import { toCopyDir } from './readableCopy.ts';
import { toOverlayPath } from './routeProposal.ts';

/**
 * Resolves once an actor has left a state that it is about to enter, or after `waitMs`. Call it
 * before sending the event that moves the actor; `stop` ends the wait.
 */
function watchUntilMoved(
  kernel: Pick<KernelUse, 'onCommit'>,
  actorId: string,
  state: string,
  waitMs: number,
): { out: Promise<void>; stop(): void } {
  let stop = (): void => {};
  const out = new Promise<void>((resolve) => {
    const unsubscribe = kernel.onCommit(({ steps }) => {
      const hasLeft = steps.some(
        ({ id, before, after }) =>
          id === actorId && before?.value === state && after.value !== state,
      );
      if (hasLeft) stop();
    });
    const timer = setTimeout(() => stop(), waitMs);
    stop = () => {
      unsubscribe();
      clearTimeout(timer);
      resolve();
    };
  });
  return { out, stop: () => stop() };
}

type ProposalAccess = Pick<
  Runner,
  'proposals' | 'proposal' | 'approveProposal' | 'rejectProposal' | 'applyProposal'
>;

export interface ProposalServiceDeps {
  kernel: KernelUse;
  rows: RowReader;
  workplace: Pick<Workplace, 'overlay'>;
  textAt: LayerTexts;
  tenantFolder: TenantFolder;
  copies: string;
}

/** Name of a person who gives none. */
const DEVELOPER = 'developer';
/**
 * Longest wait for a proposal to be applied, ms; after that the answer says that it is still being
 * applied.
 */
const APPLY_WAIT_MS = 60_000;

/** What can be done in each state, for errors. */
const POSSIBLE: Readonly<Record<ProposalRow['state'], string>> = {
  draft: 'It is not checked yet, or has errors: it can be rejected.',
  open: 'It can be approved or rejected.',
  approved: 'It is already approved: apply or reject it.',
  applying: 'It is being applied.',
  conflicted: 'It is approved, but could not be applied: apply it again, or reject it.',
  applied: 'It is applied; no further action is possible.',
  rejected: 'It is rejected; no further action is possible.',
  superseded: 'A later proposal replaces it: decide about that one.',
};

export const createProposalService = (deps: ProposalServiceDeps): ProposalAccess => {
  const { kernel, rows } = deps;

  const requireRow = (id: string): ProposalRow => {
    const row = rows.one('proposals', { id });
    if (row) return row;
    const ids = rows
      .all('proposals', {}, { order: 'at', desc: true, limit: DEFAULT_PROPOSALS })
      .map((one) => one.id);
    throw new SvcError('not-found', `Proposal ${id} not found. ${suggestClosestName(id, ids)}`);
  };

  /** Texts that an earlier layer has at paths that this layer lacks. */
  const readReplacedTexts = async (row: ProposalRow): Promise<Map<string, string>> => {
    if (row.kind === 'memory') return new Map();
    const { layers } = await deps.workplace.overlay(toProposalRepo(row));
    const earlier = layers.filter(({ name }) => name !== row.layer && name !== 'repo');
    const decoder = new TextDecoder();
    return new Map(
      parseProposedFiles(row).flatMap(({ path }) => {
        const bytes = earlier.findLast(({ files }) => files.has(toOverlayPath(path)));
        const text = bytes?.files.get(toOverlayPath(path));
        return text === undefined ? [] : [[path, decoder.decode(text)] as const];
      }),
    );
  };

  const filesNow = async (row: ProposalRow): Promise<ProposalFile[]> => {
    const plan = new Map(parseApplyPlan(row)?.map(({ path, before }) => [path, before]));
    const earlier = await readReplacedTexts(row);
    return Promise.all(
      parseProposedFiles(row).map(async (file) => {
        const { path, base } = file;
        // A decided proposal is shown as it was then.
        const current = plan.has(path)
          ? (plan.get(path) ?? null)
          : isProposalOver(row)
            ? base
            : await deps.textAt(row, path);
        const replaces = current === null ? (earlier.get(path) ?? null) : null;
        return toProposalFile(file, { current, replaces });
      }),
    );
  };

  const view = async (id: string): Promise<Proposal> => {
    const row = requireRow(id);
    const files = await filesNow(row);
    return {
      ...toProposalDetails(row),
      files,
      drifted: files.some(({ base, current }) => base !== current),
      folder: toCopyDir(deps.copies, id),
    };
  };

  const send = async (id: string, what: string, event: { type: string }): Promise<void> => {
    const sendResult = await translateKernelErrors(id, () =>
      kernel.send(toProposalActorId(id), event),
    );
    if (sendResult.accepted) return;
    const { state } = requireRow(id);
    throw new SvcError(
      'not-possible-now',
      `Proposal ${id} is ${state}: ${what} is not possible. ${POSSIBLE[state]}`,
      { data: { state } },
    );
  };

  /** Throws SvcError `not-possible-now` if a proposal could not be applied anyway. */
  const checkPlace = ({ layer }: ProposalRow): void => {
    if (layer === 'tenant') deps.tenantFolder.root();
  };

  /** Throws SvcError `not-possible-now` for a proposal that the team decides about. */
  const checkDecidedHere = ({ id, layer, state }: ProposalRow): void => {
    if (layer === 'tenant' && deps.tenantFolder.isOfTeam && isWaitingProposal(state))
      throw new SvcError(
        'not-possible-now',
        `Proposal ${id} is for the overlay of your team, which decides about it: svc proposals show ${id} --team <slug>, or the page Proposals of the team's dashboard.`,
      );
  };

  function checkAllowed(row: ProposalRow, allow: readonly string[]): void {
    const warnings = parseProposalChecks(row)?.warnings ?? [];
    const unknown = allow.find((id) => !warnings.some((one) => one.id === id));
    if (unknown !== undefined)
      throw new SvcError('bad-argument', `Proposal ${row.id} has no warning ${unknown}.`);
    const missing = warnings.filter((one) => one.allow && !allow.includes(one.id));
    if (missing.length === 0) return;
    throw new SvcError(
      'conflict',
      `The approval must accept these warnings: ${missing
        .map(({ id, path, says }) => `${id} (${path}: ${says})`)
        .join('; ')}.`,
      { data: { warnings: missing } },
    );
  }

  return {
    proposals({ state, needs, job, limit = DEFAULT_PROPOSALS, offset = 0 }) {
      const ofJob = job === undefined ? {} : { job_id: job };
      if (needs === undefined) {
        const where = { ...ofJob, ...(state === undefined ? {} : { state }) };
        return {
          proposals: rows
            .all('proposals', where, { order: 'at', desc: true, limit, offset })
            .map(toProposalSummary),
          total: rows.count('proposals', where),
        };
      }
      const states = WAITING_PROPOSALS.filter((one) => state === undefined || state === one);
      const most = { order: 'at', desc: true, limit: offset + limit } as const;
      const proposalRows = states.flatMap((one) =>
        rows.all('proposals', { ...ofJob, state: one }, most),
      );
      return {
        proposals: proposalRows
          .sort((a, b) => b.at - a.at || b.id.localeCompare(a.id))
          .slice(offset, offset + limit)
          .map(toProposalSummary),
        total: states.reduce(
          (sum, one) => sum + rows.count('proposals', { ...ofJob, state: one }),
          0,
        ),
      };
    },
    proposal: view,
    async approveProposal(id, { hash, allow = [], author = DEVELOPER }, { by }) {
      const row = requireRow(id);
      checkProposalDecider(by);
      checkDecidedHere(row);
      if (hash !== row.hash)
        throw new SvcError(
          'precondition-failed',
          `The approval is for different content than that of proposal ${id}. Review it again.`,
        );
      if (row.state === 'open') {
        checkPlace(row);
        checkAllowed(row, allow);
      }
      const allowedIds = [...new Set(allow)].sort();
      const event = { type: 'proposal.approve', hash, allowed: allowedIds, author, by };
      await send(id, 'approve', event);
      return view(id);
    },
    async rejectProposal(id, { reason = null, author = DEVELOPER }, { by }) {
      const row = requireRow(id);
      checkProposalDecider(by);
      checkDecidedHere(row);
      const event = { type: 'proposal.reject', reason, author, by };
      await send(id, 'reject', event);
      return view(id);
    },
    async applyProposal(id, { author = DEVELOPER }, { by }) {
      const row = requireRow(id);
      checkProposalDecider(by);
      checkDecidedHere(row);
      if (row.state === 'approved' || row.state === 'conflicted') checkPlace(row);
      const watch = watchUntilMoved(kernel, toProposalActorId(id), 'applying', APPLY_WAIT_MS);
      try {
        const event = { type: 'proposal.apply', author, by };
        await send(id, 'apply', event);
        await watch.out;
      } finally {
        watch.stop();
      }
      return view(id);
    },
  };
};
