import type { Proposal } from '../../../src/contract/schema/workflow/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { proposalArg, proposalFlag, proposalTeamFlag } from '../../input/resolveObjects.ts';
import { formatProposal } from '../../render/workflow/formatProposal.ts';

export default class ProposalsShowCommand extends SvcCommand {
  static override summary = 'Show a proposal: its reason, its changes, the diff and warnings.';
  static override description = 'With --json it prints the reply of GET /proposals/:id.';
  static override examples = ['<%= config.bin %> proposals show a1b2c3d4e5f6a7b8'];
  static override args = { proposal: proposalArg };
  static override flags = { proposal: proposalFlag, team: proposalTeamFlag };

  async run(): Promise<Proposal> {
    const parsed = await this.parse(ProposalsShowCommand);
    const { proposal: id } = this.objects(['proposal'], parsed);
    const proposal = await (await this.client(parsed.flags)).proposal(id);
    this.print(formatProposal(proposal, this.io));
    return proposal;
  }
}
