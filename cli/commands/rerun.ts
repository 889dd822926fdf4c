import { Flags } from '@oclif/core';
import type { CommandReply } from '../../src/schema/bodies.ts';
import { SvcCommand } from '../base/base.ts';
import { jobFlag } from '../input/flags.ts';
import { replyText } from '../render/replyText.ts';

export default class RerunCommand extends SvcCommand {
  static override summary = 'Run a phase of a job again. Artefacts of later phases are kept.';
  static override examples = [
    '<%= config.bin %> rerun --job shop-job-1790000000000 --phase coding',
  ];
  static override flags = {
    job: jobFlag,
    phase: Flags.string({
      description: 'Name of the phase.',
      required: true,
      helpValue: '<phase>',
    }),
  };

  async run(): Promise<CommandReply> {
    const { flags } = await this.parse(RerunCommand);
    const reply = await (await this.client(flags)).rerun(flags.job, flags.phase);
    this.print(replyText(reply));
    return reply;
  }
}
