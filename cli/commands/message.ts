import { Args } from '@oclif/core';
import type { CommandReply } from '../../src/schema/bodies.ts';
import { SvcCommand } from '../base.ts';
import { jobFlag } from '../flags.ts';
import { replyText } from '../replyText.ts';
import { textArgument } from '../textArgument.ts';

export default class MessageCommand extends SvcCommand {
  static override summary = "Send a message to a job's agent. It is kept until an agent has read it.";
  static override examples = [
    '<%= config.bin %> message --job shop-job-1790000000000 "Use the existing client"',
    'git diff | <%= config.bin %> message --job shop-job-1790000000000 -',
  ];
  static override flags = { job: jobFlag };
  static override args = { text: Args.string({ description: 'The message; - reads it from standard input.', required: true }) };

  async run(): Promise<CommandReply> {
    const { flags, args } = await this.parse(MessageCommand);
    const message = await textArgument(args.text, 'The message', this.io);
    const reply = await (await this.client(flags)).message(flags.job, { message });
    this.print(replyText(reply));
    return reply;
  }
}
