import { Flags } from '@oclif/core';
import type { SubRunReply, SubRunWhatIf } from '../../../src/contract/schema/job/subRun.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatSubRunReply, performSubRunAction } from '../../base/performSubRunAction.ts';
import { reasonFlag, yesAtTerminalFlag } from '../../input/flags.ts';
import { childArg, childFlag, jobArg, jobFlag, teamFlag } from '../../input/resolveObjects.ts';
import { parseParamFlag } from '../../input/buildJobParams.ts';

export default class CampaignRerunCommand extends SvcCommand {
  static override summary = 'Rerun a sub-run as a new job.';
  static override description =
    "Shows what will change. Asks at a terminal, unless --yes is given; a script is not asked. --param changes the sub-run's params.";
  static override examples = [
    '<%= config.bin %> campaign rerun --job shop-job-1790000000000 --child web --param retries=3',
  ];
  static override args = { job: jobArg, child: childArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    child: childFlag,
    reason: reasonFlag,
    param: Flags.string({
      char: 'p',
      description:
        'New value for a param of the sub-run, as name=value; the value may be JSON. Can be given more than once.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<k=v>',
    }),
    yes: yesAtTerminalFlag,
  };

  async run(): Promise<SubRunReply | SubRunWhatIf> {
    const parsed = await this.parse(CampaignRerunCommand);
    const { flags } = parsed;
    const { job: jobId, child } = this.objects(['job', 'child'], parsed);
    const { reason, param, yes } = flags;
    const body = {
      ...(reason === undefined ? {} : { reason }),
      ...(param === undefined
        ? {}
        : { paramsPatch: Object.fromEntries(param.map(parseParamFlag)) }),
    };
    const client = await this.client(flags);
    const reply = await performSubRunAction({
      client,
      io: this.io,
      jobId,
      child,
      action: 'rerun',
      body,
      yes,
    });
    this.print(formatSubRunReply(reply));
    return reply;
  }
}
