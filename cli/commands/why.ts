import type { WhyReply } from '../../src/schema/replies.ts';
import { SvcCommand } from '../base/base.ts';
import { jobFlag } from '../input/flags.ts';
import { whyText } from '../render/whyText.ts';

export default class WhyCommand extends SvcCommand {
  static override summary =
    'Explain the state of a job: what it waits for, who can move it, and what blocks it.';
  static override examples = ['<%= config.bin %> why --job shop-job-1790000000000'];
  static override flags = { job: jobFlag };

  async run(): Promise<WhyReply> {
    const { flags } = await this.parse(WhyCommand);
    const why = await (await this.client(flags)).why(flags.job);
    this.print(whyText(why, this.io));
    return why;
  }
}
