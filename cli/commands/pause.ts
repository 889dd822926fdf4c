import type { CommandReply } from '../../src/schema/bodies.ts';
import { SvcCommand } from '../base/base.ts';
import { jobFlag } from '../input/flags.ts';
import { replyText } from '../render/replyText.ts';

export default class PauseCommand extends SvcCommand {
  static override summary =
    'Pause a job. svc resume or svc message continues it in the same phase.';
  static override examples = ['<%= config.bin %> pause --job shop-job-1790000000000'];
  static override flags = { job: jobFlag };

  async run(): Promise<CommandReply> {
    const { flags } = await this.parse(PauseCommand);
    const reply = await (await this.client(flags)).pause(flags.job);
    this.print(replyText(reply));
    return reply;
  }
}
