import { Flags } from '@oclif/core';
import type { CommandReply } from '../../src/schema/bodies.ts';
import { SvcCommand } from '../base.ts';
import { jobFlag, noStreamFlag } from '../flags.ts';
import { follow } from '../follow.ts';
import { replyText } from '../replyText.ts';

export default class ResumeCommand extends SvcCommand {
  static override summary = 'Let a parked or failed job go on; for one that waits for approval, approve it.';
  static override description =
    'What is approved is what the job shows at this moment: a plan that changes in between is refused with exit code 1.';
  static override examples = [
    '<%= config.bin %> resume --job shop-job-1790000000000',
    '<%= config.bin %> resume --job shop-job-1790000000000 --event reject',
  ];
  static override flags = {
    job: jobFlag,
    event: Flags.string({
      description: 'Event key, stored on the resumed turn: approve, reject or any of your own.',
      default: 'manual-resume',
      helpValue: '<key>',
    }),
    shown: Flags.string({
      description: 'sha256 of the plan that you saw (approval.shown of svc status --json). Default: the present one.',
      helpValue: '<sha256>',
    }),
    'no-stream': noStreamFlag,
  };

  async run(): Promise<CommandReply> {
    const { flags } = await this.parse(ResumeCommand);
    const client = await this.client(flags);
    const since = this.io.now();
    const shown = flags.shown ?? (await client.job(flags.job)).approval?.shown ?? null;
    const reply = await client.resume(flags.job, { eventKey: flags.event, ...(shown === null ? {} : { shown }) });
    this.print(replyText(reply));
    if (flags['no-stream'] || this.jsonEnabled()) return reply;
    await follow({ client, jobId: flags.job, io: this.io, asTalk: false, since, past: 0, untilOutcome: false, timeoutMs: null });
    return reply;
  }
}
