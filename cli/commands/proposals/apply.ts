import { Flags } from '@oclif/core';
import type { Proposal } from '../../../src/schema/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { checkPerson } from '../../input/asPerson.ts';
import { proposalArg, proposalFlag } from '../../input/objects.ts';
import { decidedText } from '../../render/proposalText.ts';

export default class ProposalsApplyCommand extends SvcCommand {
  static override summary = 'Apply a proposal that is approved.';
  static override description =
    "Whole or not at all: to the team's folder, or to a repository as a pull request. Jobs see it from their next phase on. Exit code 1 where it conflicts with what has changed since.";
  static override examples = ['<%= config.bin %> proposals apply a1b2c3d4e5f6a7b8'];
  static override args = { proposal: proposalArg };
  static override flags = {
    proposal: proposalFlag,
    author: Flags.string({ description: 'Your name. Default: developer.', helpValue: '<name>' }),
  };

  async run(): Promise<Proposal> {
    const parsed = await this.parse(ProposalsApplyCommand);
    checkPerson(this.io.env, 'apply a proposal');
    const { author } = parsed.flags;
    const { proposal: id } = this.objects(['proposal'], parsed);
    const reply = await (await this.client(parsed.flags)).applyProposal(
      id,
      author === undefined ? {} : { author },
    );
    this.print(decidedText(reply));
    if (reply.state === 'conflicted') this.io.exitWith(1);
    return reply;
  }
}
