import { Flags } from '@oclif/core';
import type { Proposal } from '../../../src/contract/schema/workflow/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import {
  proposalArg,
  proposalAuthorFlag,
  proposalFlag,
  proposalTeamFlag,
} from '../../input/resolveObjects.ts';
import { formatProposalOutcome } from '../../render/workflow/formatProposal.ts';

export default class ProposalsRejectCommand extends SvcCommand {
  static override summary = 'Reject a proposal.';
  static override description =
    'Agents read the reason when they list proposals, so that they do not propose the same again.';
  static override examples = [
    '<%= config.bin %> proposals reject a1b2c3d4e5f6a7b8 --reason "The tests are not run by make."',
  ];
  static override args = { proposal: proposalArg };
  static override flags = {
    proposal: proposalFlag,
    team: proposalTeamFlag,
    reason: Flags.string({ description: 'Why.', helpValue: '<text>' }),
    author: proposalAuthorFlag,
  };

  async run(): Promise<Proposal> {
    const parsed = await this.parse(ProposalsRejectCommand);
    refuseInsideSession(this.io.env, 'reject a proposal');
    const { reason, author } = parsed.flags;
    const { proposal: id } = this.objects(['proposal'], parsed);
    const reply = await (await this.client(parsed.flags)).rejectProposal(id, {
      ...(reason === undefined ? {} : { reason }),
      ...(author === undefined ? {} : { author }),
    });
    this.print(formatProposalOutcome(reply, parsed.flags.team));
    return reply;
  }
}
