import { Flags } from '@oclif/core';
import { SubRunCommand, subRunArgs, subRunFlags } from '../../base/subRunCommand.ts';
import { parseParamFlag } from '../../input/buildJobParams.ts';

export default class CampaignRerunCommand extends SubRunCommand {
  static override summary = 'Rerun a sub-run as a new job.';
  static override description =
    "Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked. --param changes the sub-run's params.";
  static override examples = [
    '<%= config.bin %> campaign rerun --job shop-job-1790000000000 --child web --param retries=3',
  ];
  static override args = subRunArgs;
  static override flags = {
    ...subRunFlags,
    param: Flags.string({
      char: 'p',
      description:
        'New value for a param of the sub-run, as name=value; the value may be JSON. Can be given more than once.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<k=v>',
    }),
  };

  async run() {
    const parsed = await this.parse(CampaignRerunCommand);
    const { param } = parsed.flags;
    const paramsPatch = param && Object.fromEntries(param.map(parseParamFlag));
    return this.perform('rerun', parsed, paramsPatch && { paramsPatch });
  }
}
