import type { CommandReply } from '../../src/schema/bodies.ts';
import { SvcCommand } from '../base/base.ts';
import { reasonFlag } from '../input/flags.ts';
import { jobArg, jobFlag } from '../input/objects.ts';
import { replyText } from '../render/replyText.ts';

export default class CancelCommand extends SvcCommand {
  static override summary =
    'Cancel a job, including one that failed or escalated. A running session is ended first.';
  static override examples = [
    '<%= config.bin %> cancel --job shop-job-1790000000000 --reason "not needed any more"',
  ];
  static override args = { job: jobArg };
  static override flags = { job: jobFlag, reason: reasonFlag };

  async run(): Promise<CommandReply> {
    const parsed = await this.parse(CancelCommand);
    const { flags } = parsed;
    const { job } = this.objects(['job'], parsed);
    const reply = await (await this.client(flags)).cancel(
      job,
      flags.reason === undefined ? {} : { reason: flags.reason },
    );
    this.print(replyText(reply));
    return reply;
  }
}
