import { Flags } from '@oclif/core';
import type { MessageReceipt } from '../../src/contract/schema/session/message.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { formatReceipts } from '../render/job/formatReceipts.ts';

export default class MessagesCommand extends SvcCommand {
  static override summary = 'Show the messages to a job, and whether and when an agent read each.';
  static override description =
    "queued: kept for the next session. offered: passed to the running session. delivered: part of the model's input. acknowledged: read. superseded: replaced before it was read. expired: the job ended first.";
  static override examples = ['<%= config.bin %> messages --job shop-job-1790000000000'];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of messages to list, newest first.',
      default: 100,
      min: 1,
      max: 500,
      helpValue: '<n>',
    }),
    offset: Flags.integer({
      description: 'Number of messages to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
  };

  async run(): Promise<MessageReceipt[]> {
    const parsed = await this.parse(MessagesCommand);
    const { job } = this.objects(['job'], parsed);
    const { limit, offset } = parsed.flags;
    const { messages, total } = await (await this.client(parsed.flags)).messages(job, {
      limit,
      offset,
    });
    this.print(formatReceipts(messages, this.io));
    if (messages.length < total) {
      const next = offset + limit < total ? ` (older ones: --offset ${offset + limit})` : '';
      this.io.err(`${messages.length} of ${total} messages${next}\n`);
    }
    return messages;
  }
}
