import type { CommandReply } from '../../src/contract/schema/api/bodies.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag, teamFlag, phaseArg, phaseFlag } from '../input/resolveObjects.ts';
import { formatCommandReply } from '../render/job/formatCommandReply.ts';

export default class RerunCommand extends SvcCommand {
  static override summary = 'Rerun a phase of a job. Artefacts of later phases are kept.';
  static override examples = [
    '<%= config.bin %> rerun --job shop-job-1790000000000 --phase coding',
  ];
  static override args = { job: jobArg, phase: phaseArg };
  static override flags = { job: jobFlag, team: teamFlag, phase: phaseFlag };

  async run(): Promise<CommandReply> {
    const parsed = await this.parse(RerunCommand);
    const { job, phase } = this.objects(['job', 'phase'], parsed);
    const reply = await (await this.client(parsed.flags)).rerun(job, phase);
    this.print(formatCommandReply(reply));
    return reply;
  }
}
