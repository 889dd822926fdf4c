import { SubRunCommand, subRunArgs, subRunFlags } from '../../base/subRunCommand.ts';

export default class CampaignSkipCommand extends SubRunCommand {
  static override summary =
    'Skip a sub-run. Sub-runs that depend on it continue as if it were complete.';
  static override description =
    'Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked.';
  static override examples = [
    '<%= config.bin %> campaign skip --job shop-job-1790000000000 --child web --reason "not needed"',
  ];
  static override args = subRunArgs;
  static override flags = subRunFlags;

  async run() {
    return this.perform('skip', await this.parse(CampaignSkipCommand));
  }
}
