import { Args, Flags } from '@oclif/core';
import type { CommandReply } from '../../src/contract/schema/api/bodies.ts';
import type { MessageReceipt } from '../../src/contract/schema/session/message.ts';
import { SvcCommand } from '../base/base.ts';
import { parseDurationMs } from '../render/text/parseDurationMs.ts';
import { TIMEOUT } from '../input/flags.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { formatReceipts } from '../render/job/formatReceipts.ts';
import { formatCommandReply } from '../render/job/formatCommandReply.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import { waitUntilMessageRead } from '../remote/waitUntilMessageRead.ts';

export default class MessageCommand extends SvcCommand {
  static override summary =
    "Send a message to a job's agent. It is stored until an agent has read it.";
  static override description =
    'Resumes a job that is paused, has failed, or waits for an approval, an event or a person; it never counts as an approval. A working agent is interrupted, unless it is waiting for a tool. `svc messages` shows its delivery. --wait exits with 0 when an agent has read it, 1 when it was replaced or the job ended first, and 8 on timeout.';
  static override examples = [
    '<%= config.bin %> message --job shop-job-1790000000000 "Use the existing client"',
    '<%= config.bin %> message --job shop-job-1790000000000 --wait --timeout 2m "Stop, and tell me what you see"',
    'git diff | <%= config.bin %> message --job shop-job-1790000000000 -',
  ];
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    replace: Flags.string({
      description: 'ID of an earlier message to replace; no agent may have received it yet.',
      helpValue: '<id>',
    }),
    wait: Flags.boolean({ char: 'w', description: 'Wait until an agent has read the message.' }),
    timeout: Flags.string({ ...TIMEOUT, dependsOn: ['wait'] }),
  };
  static override args = {
    job: jobArg,
    text: Args.string({ description: 'The message, or - for standard input.' }),
  };

  async run(): Promise<CommandReply | MessageReceipt> {
    const parsed = await this.parse(MessageCommand);
    const { flags } = parsed;
    const { job, text } = this.objects(['job', 'text'], parsed);
    const message = await readTextArgument(text, 'The message', this.io);
    const client = await this.client(flags);
    const timeoutMs = flags.timeout === undefined ? null : parseDurationMs(flags.timeout);
    const replaces = flags.replace === undefined ? {} : { replaces: flags.replace };
    const reply = await client.message(job, { message, ...replaces });
    this.print(formatCommandReply(reply));
    if (!flags.wait || reply.receipt === undefined) return reply;
    const { receipt, code } = await waitUntilMessageRead(
      client,
      job,
      reply.receipt.id,
      timeoutMs,
      this.io,
    );
    this.print(formatReceipts([receipt], this.io));
    if (code !== 0) this.io.exitWith(code);
    return receipt;
  }
}
