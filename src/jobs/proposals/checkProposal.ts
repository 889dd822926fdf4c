import type { ProposalAnswer, ProposalPorts } from '../../../machines/index.ts';
import type { EffectOutcome, Port } from '../../kernel/port.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Workplace } from '../workspace/workplace.ts';
import { checkProposedState, explainUnsoundness } from './checkProposedState.ts';
import { parseProposedFiles, type ProposalRow } from './proposalRows.ts';
import { toProposalRepo } from './toProposalRepo.ts';
import { writeCopy } from './readableCopy.ts';

export interface CheckProposalDeps {
  rows: RowReader;
  workplace: Pick<Workplace, 'overlay'>;
  copies: string;
}

export const requireProposalRow = (rows: RowReader, id: string): ProposalRow => {
  const row = rows.one('proposals', { id });
  if (row) return row;
  throw new Error(`the proposal ${id} has no row`);
};

/**
 * `proposal.check`: reads the layers as if the proposal were applied, and keeps the findings.
 * Writes a copy for people next to the team's folder.
 */
export const checkProposal =
  ({ rows, workplace, copies }: CheckProposalDeps): Port<ProposalPorts['proposal.check'], Tables> =>
  async ({ proposalId }): Promise<EffectOutcome<Tables>> => {
    const row = requireProposalRow(rows, proposalId);
    const files = new Map(parseProposedFiles(row).map(({ path, text }) => [path, text]));
    const state = await checkProposedState(workplace, { ...row, repo: toProposalRepo(row), files });
    await writeCopy(copies, row);
    const { checks } = state;
    const answer: ProposalAnswer = { type: 'proposal.checked', problem: explainUnsoundness(state) };
    return {
      events: [answer],
      rows: [
        {
          op: 'patch',
          table: 'proposals',
          key: { id: proposalId },
          set: { checks: JSON.stringify(checks), warnings: checks.warnings.length },
        },
      ],
    };
  };
