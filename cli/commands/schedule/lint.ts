import { LocalCommand } from '../../base/localCommand.ts';
import { askRunnerAboutSchedules } from '../../remote/askRunnerAboutSchedules.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { formatPlannedSchedule } from '../../render/schedule/formatSchedules.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { lintSchedules, type LintedSchedule } from '../../../src/jobs/schedules/lintSchedules.ts';

export default class ScheduleLintCommand extends LocalCommand {
  static override summary =
    'Check the schedules of the configuration, without a runner. Exits with 1 if one is wrong.';
  static override description =
    "Shows the next five times of each. Checks expressions, time zones, workflows and their params. Workflows in a repository of a forge, and in a team's overlay that is not a folder, are checked by the runner of this home, if it runs; else they are named as not checked.";
  static override examples = ['<%= config.bin %> schedule lint'];

  async run(): Promise<LintedSchedule[]> {
    await this.parse(ScheduleLintCommand);
    const { settings } = await loadSettings({
      env: this.io.env,
      homeDir: this.io.homeDir,
      flags: {},
      packageRoot: findPackageRoot(import.meta.url),
    });
    const schedules = await askRunnerAboutSchedules(
      await lintSchedules(settings, this.io.now()),
      this.io,
      this.config.version,
    );
    this.print(schedules.map((one) => formatPlannedSchedule(one, this.io)).join('\n'));
    const wrong = schedules.filter(({ problem }) => problem !== null).length;
    const unchecked = schedules.filter(({ note }) => note !== null).length;
    this.note(
      `${schedules.length} ${schedules.length === 1 ? 'schedule' : 'schedules'}, ${wrong} wrong${unchecked === 0 ? '' : `, ${unchecked} not checked`}\n`,
    );
    for (const { name, note } of schedules) if (note !== null) this.note(`${name}: ${note}\n`);
    if (wrong > 0) this.io.exitWith(1);
    return schedules;
  }
}
