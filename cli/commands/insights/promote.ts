import { Flags } from '@oclif/core';
import type { ProposalSummary } from '../../../src/contract/schema/workflow/proposal.ts';
import { SvcCommand } from '../../base/base.ts';
import { refuseInsideSession } from '../../input/confirmOrRefuse.ts';
import { insightArg } from '../../input/insightFlags.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class InsightsPromoteCommand extends SvcCommand {
  static override summary = "Propose an insight for the team's memory.";
  static override description =
    'Creates a proposal of the kind memory: nothing changes until it is approved and applied.';
  static override examples = [
    '<%= config.bin %> insights promote shop-job-1790000000000 3f5a9c0d1e2b4a67',
    '<%= config.bin %> insights promote shop-job-1790000000000 3f5a9c0d1e2b4a67 --path memory/testing.md --text "The e2e tests need a database."',
  ];
  static override args = { job: jobArg, insight: insightArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    path: Flags.string({
      description: 'Memory file. Default: memory/insights.md.',
      helpValue: '<path>',
    }),
    text: Flags.string({
      description: 'Text to add to the memory. Default: the text of the insight.',
      helpValue: '<text>',
    }),
  };

  async run(): Promise<ProposalSummary> {
    const parsed = await this.parse(InsightsPromoteCommand);
    refuseInsideSession(this.io.env, 'promote an insight');
    const { path, text } = parsed.flags;
    const { job, insight } = this.objects(['job', 'insight'], parsed);
    const proposal = await (await this.client(parsed.flags)).promoteInsight(job, insight, {
      ...(path === undefined ? {} : { path }),
      ...(text === undefined ? {} : { text }),
    });
    const { id, paths, state } = proposal;
    this.print(
      `Proposal ${toPrintableLine(id)} (${state}) for ${paths.map(toPrintableLine).join(', ')}. It takes effect when it is approved and applied.\n`,
    );
    return proposal;
  }
}
