import type { CommandReply } from '../../src/contract/schema/api/bodies.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { formatCommandReply } from '../render/job/formatCommandReply.ts';

export default class PauseCommand extends SvcCommand {
  static override summary =
    'Pause a job. svc resume or svc message continues it in the same phase.';
  static override examples = ['<%= config.bin %> pause --job shop-job-1790000000000'];
  static override args = { job: jobArg };
  static override flags = { job: jobFlag, team: teamFlag };

  async run(): Promise<CommandReply> {
    const parsed = await this.parse(PauseCommand);
    const { job } = this.objects(['job'], parsed);
    const reply = await (await this.client(parsed.flags)).pause(job);
    this.print(formatCommandReply(reply));
    return reply;
  }
}
