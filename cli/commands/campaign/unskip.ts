import { SubRunCommand, subRunArgs, subRunFlags } from '../../base/subRunCommand.ts';

export default class CampaignUnskipCommand extends SubRunCommand {
  static override summary = 'Undo a skip. The sub-run returns to its previous state.';
  static override description =
    'Possible until all sub-runs have ended or one that depends on it has started, and only if the skip did not stop a job; otherwise rerun it. Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked.';
  static override examples = [
    '<%= config.bin %> campaign unskip --job shop-job-1790000000000 --child web',
  ];
  static override args = subRunArgs;
  static override flags = subRunFlags;

  async run() {
    return this.perform('unskip', await this.parse(CampaignUnskipCommand));
  }
}
