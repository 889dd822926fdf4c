import { toProposalActorId } from '../../../machines/index.ts';
import { WAITING_PROPOSALS } from '../../base/agents/proposals.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { KernelUse, RowChange } from '../../contract/records/changes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { SentProposal, SentProposalState } from '../../contract/schema/cloud/teamOverlay.ts';
import type { TenantFolder } from '../workspace/editing/tenantFolder.ts';
import { parseProposalChecks, parseProposedFiles, type ProposalRow } from './proposalRows.ts';

export interface TeamProposalDeps {
  kernel: Pick<KernelUse, 'send' | 'onCommit'>;
  rows: Pick<RowReader, 'all'>;
  tenantFolder: Pick<TenantFolder, 'isOfTeam'>;
  writeRows(rows: RowChange[]): Promise<void>;
}

/** The proposals of this runner for the overlay of its team. */
export interface TeamProposals {
  /** IDs of those that wait for the team, the earliest first; empty where the tenant layer is not the team's. */
  list(): string[];
  /** One of them as it is sent; null = it waits no longer. */
  read(id: string): SentProposal | null;
  /** Takes over what the team has decided. */
  follow(decision: SentProposalState): Promise<void>;
  /** Notes why the control plane does not take one. */
  noteProblem(id: string, problem: string): Promise<void>;
  /** Called when a proposal has come to wait, until the returned function is called. */
  onWaiting(listener: () => void): () => void;
}

const toSent = (row: ProposalRow): SentProposal => ({
  kind: row.kind,
  description: row.description,
  files: parseProposedFiles(row),
  hash: row.hash,
  jobId: row.job_id,
  phase: row.phase,
  at: toIsoTime(row.at),
  simulated: parseProposalChecks(row)?.simulated ?? [],
});

export function createTeamProposals({
  kernel,
  rows,
  tenantFolder,
  writeRows,
}: TeamProposalDeps): TeamProposals {
  const listWaiting = (): ProposalRow[] =>
    tenantFolder.isOfTeam
      ? WAITING_PROPOSALS.flatMap((state) => rows.all('proposals', { layer: 'tenant', state }))
      : [];
  return {
    list: () =>
      listWaiting()
        .sort((a, b) => a.at - b.at)
        .map(({ id }) => id),
    read(id) {
      const row = listWaiting().find((one) => one.id === id);
      return row === undefined ? null : toSent(row);
    },
    async follow({ id, state, author, reason }) {
      const by = { author: author ?? 'the team', by: 'member' } as const;
      if (state === 'rejected')
        await kernel.send(toProposalActorId(id), { type: 'proposal.reject', reason, ...by });
      if (state === 'applied')
        await kernel.send(toProposalActorId(id), {
          type: 'proposal.appliedByTeam',
          author: by.author,
        });
    },
    noteProblem: (id, problem) =>
      writeRows([{ op: 'patch', table: 'proposals', key: { id }, set: { problem } }]),
    onWaiting: (listener) =>
      kernel.onCommit(({ steps }) => {
        if (steps.some(({ id, after }) => id.startsWith('proposal.') && after.value === 'open'))
          listener();
      }),
  };
}
