import { Args } from '@oclif/core';
import type { CreatedJob } from '../../../src/contract/schema/api/bodies.ts';
import { SvcCommand } from '../../base/base.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class ScheduleRunCommand extends SvcCommand {
  static override summary = 'Create the job of a schedule now.';
  static override description =
    'The job comes on top of those of its times. It runs even if another job of the schedule has not ended.';
  static override examples = ['<%= config.bin %> schedule run nightly'];
  static override args = {
    schedule: Args.string({ description: 'Name of the schedule.', required: true }),
  };

  async run(): Promise<CreatedJob> {
    const { args, flags } = await this.parse(ScheduleRunCommand);
    const created = await (await this.client(flags)).runSchedule(args.schedule);
    for (const warning of created.warnings ?? []) this.note(`${toPrintableLine(warning)}\n`);
    const id = toPrintableLine(created.jobId);
    this.print(`Created ${id}. To follow it: svc logs ${id} --follow\n`);
    return created;
  }
}
