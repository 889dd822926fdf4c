import { Flags } from '@oclif/core';
import type { Proposal } from '../../../src/contract/schema/workflow/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession, confirmOrRefuse } from '../../input/confirmOrRefuse.ts';
import {
  proposalArg,
  proposalAuthorFlag,
  proposalFlag,
  proposalTeamFlag,
} from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { formatProposalOutcome, formatProposal } from '../../render/workflow/formatProposal.ts';

export default class ProposalsApproveCommand extends SvcCommand {
  static override summary = 'Approve exactly what a proposal shows, and apply it with --apply.';
  static override description =
    'Shows the proposal and asks; without a terminal, --yes and the --hash that svc proposals show prints are required. Accept warnings that require it with --allow.';
  static override examples = [
    '<%= config.bin %> proposals approve a1b2c3d4e5f6a7b8 --apply',
    '<%= config.bin %> proposals approve a1b2c3d4e5f6a7b8 --hash 3f9a… --allow runs-1f2e3d4c --yes',
  ];
  static override args = { proposal: proposalArg };
  static override flags = {
    proposal: proposalFlag,
    team: proposalTeamFlag,
    hash: Flags.string({
      description: 'Hash of the content that you reviewed. Default: the content shown now.',
      helpValue: '<hash>',
    }),
    allow: Flags.string({
      description: 'A warning to accept. Can be given more than once.',
      multiple: true,
      helpValue: '<id>',
    }),
    apply: Flags.boolean({ description: 'Apply it immediately.' }),
    author: proposalAuthorFlag,
    yes: Flags.boolean({ char: 'y', description: 'Approve without asking.', dependsOn: ['hash'] }),
  };

  async run(): Promise<Proposal> {
    const parsed = await this.parse(ProposalsApproveCommand);
    refuseInsideSession(this.io.env, 'approve a proposal');
    const { hash, allow = [], apply, author, yes } = parsed.flags;
    const { proposal: id } = this.objects(['proposal'], parsed);
    const client = await this.client(parsed.flags);
    const shownProposal = await client.proposal(id);
    if (!yes) {
      this.print(formatProposal(shownProposal, this.io));
      if (
        !(await confirmOrRefuse(this.io, false, apply ? 'Approve and apply it?' : 'Approve it?'))
      ) {
        this.note('Nothing was done.\n');
        this.io.exitWith(1);
        return shownProposal;
      }
    }
    const acceptedIds = yes ? allow : await this.#acceptWarnings(shownProposal, allow);
    if (acceptedIds === null) {
      this.note('Nothing was done.\n');
      this.io.exitWith(1);
      return shownProposal;
    }
    const body = {
      hash: hash ?? shownProposal.hash,
      allow: acceptedIds,
      ...(author === undefined ? {} : { author }),
    };
    const approvedProposal = await client.approveProposal(id, body);
    const reply = apply
      ? await client.applyProposal(id, author === undefined ? {} : { author })
      : approvedProposal;
    this.print(formatProposalOutcome(reply, parsed.flags.team));
    if (reply.state === 'conflicted') this.io.exitWith(1);
    return reply;
  }

  /** Asks about each warning that an approval must name; null = one is not accepted. */
  async #acceptWarnings({ checks }: Proposal, allow: readonly string[]): Promise<string[] | null> {
    const allowedIds = [...allow];
    for (const { id, path, says, allow: mustBeNamed } of checks?.warnings ?? []) {
      if (!mustBeNamed || allowedIds.includes(id)) continue;
      if (!(await confirmOrRefuse(this.io, false, toPrintableLine(`${path} ${says}. Accept it?`))))
        return null;
      allowedIds.push(id);
    }
    return allowedIds;
  }
}
