import { RunnerCommand } from '../base/runnerCommand.ts';
import { upgradeRunner, formatUpgradeResult, type UpgradeResult } from '../remote/upgradeRunner.ts';

export default class RestartCommand extends RunnerCommand {
  static override summary = 'Restart the runner of this home while jobs run.';
  static override description =
    'Sessions are interrupted and then continue; the interruption does not count as an attempt. The configuration is checked first: if it has an error, the runner is not restarted. The runner keeps running the same program; svc upgrade switches to this one.';
  static override examples = ['<%= config.bin %> restart'];

  async run(): Promise<UpgradeResult> {
    await this.parse(RestartCommand);
    const { home, client } = await this.runnerHere();
    const upgradeResult = await upgradeRunner(
      { home, client, note: (text) => this.note(text) },
      null,
    );
    this.print(formatUpgradeResult(upgradeResult));
    return upgradeResult;
  }
}
