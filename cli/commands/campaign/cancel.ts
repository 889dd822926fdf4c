import { SubRunCommand, subRunArgs, subRunFlags } from '../../base/subRunCommand.ts';

export default class CampaignCancelCommand extends SubRunCommand {
  static override summary = 'Mark a sub-run as failed and stop its job.';
  static override description =
    'Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked.';
  static override examples = [
    '<%= config.bin %> campaign cancel --job shop-job-1790000000000 --child web --reason "not needed"',
  ];
  static override args = subRunArgs;
  static override flags = subRunFlags;

  async run() {
    return this.perform('cancel', await this.parse(CampaignCancelCommand));
  }
}
