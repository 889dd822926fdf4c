import type { Campaign } from '../../../src/contract/schema/job/campaign.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatCampaign } from '../../render/job/formatCampaign.ts';
import { jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';

export default class CampaignShowCommand extends SvcCommand {
  static override summary =
    'Show a campaign: the graph of its sub-runs, why each one is waiting, the critical path, and tokens.';
  static override examples = ['<%= config.bin %> campaign show --job shop-job-1790000000000'];
  static override args = { job: jobArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<Campaign> {
    const parsed = await this.parse(CampaignShowCommand);
    const { job } = this.objects(['job'], parsed);
    const campaign = await (await this.client(parsed.flags)).campaign(job);
    this.print(formatCampaign(campaign, this.io));
    return campaign;
  }
}
