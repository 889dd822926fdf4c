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

export default class ProposalsApplyCommand extends SvcCommand {
  static override summary = 'Apply an approved proposal.';
  static override description =
    "Applies all of it or nothing: to the team's folder, or to a repository as a pull request; with --team, as the next version of the team's overlay, by someone else than the creator of its job. Jobs use it from their next phase on. Exits with 1 if it conflicts with later changes.";
  static override examples = [
    '<%= config.bin %> proposals apply a1b2c3d4e5f6a7b8',
    '<%= config.bin %> proposals apply a1b2c3d4e5f6a7b8 --team acme',
  ];
  static override args = { proposal: proposalArg };
  static override flags = {
    proposal: proposalFlag,
    team: proposalTeamFlag,
    author: proposalAuthorFlag,
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
    this.print(formatProposalOutcome(reply, parsed.flags.team));
    if (reply.state === 'conflicted') this.io.exitWith(1);
    return reply;
  }
}
