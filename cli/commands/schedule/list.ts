import type { ScheduleView } from '../../../src/contract/schema/runner/schedule.ts';
import { SvcCommand } from '../../base/base.ts';
import { formatSchedule } from '../../render/schedule/formatSchedules.ts';

export default class ScheduleListCommand extends SvcCommand {
  static override summary = 'List the schedules with their next five times and their last outcome.';
  static override description =
    'Schedules are in the configuration (schedules). With --json it prints the reply of GET /schedules.';
  static override examples = ['<%= config.bin %> schedule list'];

  async run(): Promise<ScheduleView[]> {
    const { flags } = await this.parse(ScheduleListCommand);
    const schedules = await (await this.client(flags)).schedules();
    this.print(
      schedules.length === 0
        ? 'No schedules are configured (schedules in config.json).\n'
        : schedules.map((one) => formatSchedule(one, this.io)).join('\n'),
    );
    return schedules;
  }
}
