import { Flags } from '@oclif/core';
import type { Proposal } from '../../../src/contract/schema/workflow/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { proposalArg, proposalFlag } from '../../input/resolveObjects.ts';
import { formatProposalOutcome } from '../../render/workflow/formatProposal.ts';

export default class ProposalsApplyCommand extends SvcCommand {
  static override summary = 'Apply an approved proposal.';
  static override description =
    "Applies all of it or nothing: to the team's folder, or to a repository as a pull request. Jobs use it from their next phase on. Exits with 1 if it conflicts with later changes.";
  static override examples = ['<%= config.bin %> proposals apply a1b2c3d4e5f6a7b8'];
  static override args = { proposal: proposalArg };
  static override flags = {
    proposal: proposalFlag,
    author: Flags.string({ description: 'Your name. Default: developer.', helpValue: '<name>' }),
  };

  async run(): Promise<Proposal> {
    const parsed = await this.parse(ProposalsApplyCommand);
    refuseInsideSession(this.io.env, 'apply a proposal');
    const { author } = parsed.flags;
    const { proposal: id } = this.objects(['proposal'], parsed);
    const reply = await (await this.client(parsed.flags)).applyProposal(
      id,
      author === undefined ? {} : { author },
    );
    this.print(formatProposalOutcome(reply));
    if (reply.state === 'conflicted') this.io.exitWith(1);
    return reply;
  }
}
