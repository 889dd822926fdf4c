import type { Campaign } from '../../../src/schema/campaign.ts';
import { SvcCommand } from '../../base/base.ts';
import { campaignText } from '../../render/campaignText.ts';
import { jobFlag } from '../../input/flags.ts';

export default class CampaignShowCommand extends SvcCommand {
  static override summary =
    'Show a campaign: the graph of its sub-runs, why each one waits, the critical path, and tokens.';
  static override examples = ['<%= config.bin %> campaign show --job shop-job-1790000000000'];
  static override flags = { job: jobFlag };

  async run(): Promise<Campaign> {
    const { flags } = await this.parse(CampaignShowCommand);
    const campaign = await (await this.client(flags)).campaign(flags.job);
    this.print(campaignText(campaign, this.io));
    return campaign;
  }
}
