import { Args, Flags } from '@oclif/core';
import type { CommandReply } from '../../src/schema/bodies.ts';
import type { MessageReceipt } from '../../src/schema/message.ts';
import { SvcCommand } from '../base/base.ts';
import { durationMs } from '../render/duration.ts';
import { jobFlag } from '../input/flags.ts';
import { receiptsText } from '../render/receiptsText.ts';
import { replyText } from '../render/replyText.ts';
import { textArgument } from '../input/textArgument.ts';
import { untilRead } from '../connect/untilRead.ts';

export default class MessageCommand extends SvcCommand {
  static override summary =
    "Send a message to a job's agent. It is kept until an agent has read it.";
  static override description =
    'It resumes a job that is paused, has failed, or waits for approval (never as an approval), an event or a person. An agent at work is interrupted for it, unless a tool works for it just then; `svc messages` shows what became of it. --wait exits with 0 when an agent has read it, with 1 when it was replaced or the job ended first, with 8 when the time is over.';
  static override examples = [
    '<%= config.bin %> message --job shop-job-1790000000000 "Use the existing client"',
    '<%= config.bin %> message --job shop-job-1790000000000 --wait --timeout 2m "Stop, and tell me what you see"',
    'git diff | <%= config.bin %> message --job shop-job-1790000000000 -',
  ];
  static override flags = {
    job: jobFlag,
    replace: Flags.string({
      description:
        'Id of an earlier message that no agent was given yet; this one takes its place.',
      helpValue: '<id>',
    }),
    wait: Flags.boolean({ description: 'Wait until an agent has read it.' }),
    timeout: Flags.string({
      description: 'Longest wait, such as 90s, 30m or 2h.',
      dependsOn: ['wait'],
      helpValue: '<time>',
    }),
  };
  static override args = {
    text: Args.string({
      description: 'The message; - reads it from standard input.',
      required: true,
    }),
  };

  async run(): Promise<CommandReply | MessageReceipt> {
    const { flags, args } = await this.parse(MessageCommand);
    const message = await textArgument(args.text, 'The message', this.io);
    const client = await this.client(flags);
    const timeoutMs = flags.timeout === undefined ? null : durationMs(flags.timeout);
    const replaces = flags.replace === undefined ? {} : { replaces: flags.replace };
    const reply = await client.message(flags.job, { message, ...replaces });
    this.print(replyText(reply));
    if (!flags.wait || reply.receipt === undefined) return reply;
    const { receipt, code } = await untilRead(
      client,
      flags.job,
      reply.receipt.id,
      timeoutMs,
      this.io,
    );
    this.print(receiptsText([receipt], this.io));
    if (code !== 0) this.io.exitWith(code);
    return receipt;
  }
}
