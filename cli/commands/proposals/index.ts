import { Flags } from '@oclif/core';
import {
  DEFAULT_PROPOSALS,
  MAX_PROPOSALS,
  PROPOSAL_STATES,
} from '../../../src/base/agents/proposals.ts';
import type { ProposalSummary } from '../../../src/contract/schema/workflow/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { jobArg, jobFlag, proposalTeamFlag } from '../../input/resolveObjects.ts';
import { formatPageNote } from '../../render/text/formatPageNote.ts';
import { formatProposalTable } from '../../render/workflow/formatProposal.ts';

export default class ProposalsCommand extends SvcCommand {
  static override summary =
    'List the changes that agents propose to workflows, agents, skills and memory.';
  static override description =
    'Newest first. A proposal has no effect until a person approves and applies it. With --json it prints the reply of GET /proposals.';
  static override examples = [
    '<%= config.bin %> proposals',
    '<%= config.bin %> proposals --needs-me',
    '<%= config.bin %> proposals --state open',
    '<%= config.bin %> proposals --team acme',
    '<%= config.bin %> proposals shop-job-1790000000000',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: proposalTeamFlag,
    state: Flags.option({
      description: 'Only proposals in this state.',
      options: PROPOSAL_STATES,
      helpValue: '<state>',
    })(),
    'needs-me': Flags.boolean({
      description: 'Only those that wait for a person: to be approved, applied or rejected.',
    }),
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of proposals to list.',
      default: DEFAULT_PROPOSALS,
      min: 1,
      max: MAX_PROPOSALS,
      helpValue: '<n>',
    }),
    offset: Flags.integer({
      description: 'Number of proposals to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
  };

  async run(): Promise<ProposalSummary[]> {
    const { flags, args } = await this.parse(ProposalsCommand);
    const job = flags.job ?? args.job;
    const { state, limit, offset } = flags;
    const { proposals, total } = await (await this.client(flags)).proposals({
      ...(job === undefined ? {} : { job }),
      ...(state === undefined ? {} : { state }),
      ...(flags['needs-me'] ? { needs: 'me' } : {}),
      limit,
      ...(offset === 0 ? {} : { offset }),
    });
    if (proposals.length > 0) this.print(formatProposalTable(proposals, this.io));
    else this.note('No proposals.\n');
    this.note(formatPageNote('proposals', proposals.length, offset, total));
    return proposals;
  }
}
