import { Args } from '@oclif/core';
import type { ScheduleView } from '../../../src/contract/schema/runner/schedule.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatSchedule } from '../../render/schedule/formatSchedules.ts';

export default class ScheduleResumeCommand extends SvcCommand {
  static override summary = 'Resume a schedule that paused after three failures in a row.';
  static override description = 'What it missed while it was paused is not made up.';
  static override examples = ['<%= config.bin %> schedule resume nightly'];
  static override args = {
    schedule: Args.string({ description: 'Name of the schedule.', required: true }),
  };

  async run(): Promise<ScheduleView> {
    const { args, flags } = await this.parse(ScheduleResumeCommand);
    const schedule = await (await this.client(flags)).resumeSchedule(args.schedule);
    this.print(formatSchedule(schedule, this.io));
    return schedule;
  }
}
