import { readProgramAt, formatProgramName } from '../../src/host/upgrade/program.ts';
import { RunnerCommand, type RunnerHere } from '../base/runnerCommand.ts';
import { suggestCloudRelease } from '../cloud/suggestCloudRelease.ts';
import { upgradeRunner, formatUpgradeResult, type UpgradeResult } from '../remote/upgradeRunner.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

export default class UpgradeCommand extends RunnerCommand {
  static override summary =
    'Replace the runner of this home with this version of svc, while jobs run.';
  static override description =
    'Run it after npm install -g @svc/runner. Sessions are interrupted and continue with the new version; the interruption does not count as an attempt. If the new version is not healthy within 120 seconds, the previous one continues from the previous state. An older release is refused. For a runner of a team it also names the release of the control plane, where that is newer.';
  static override examples = ['<%= config.bin %> upgrade'];

  async run(): Promise<UpgradeResult | null> {
    await this.parse(UpgradeCommand);
    const root = findPackageRoot(import.meta.url);
    const own = await readProgramAt(root);
    const runner = await this.runnerOrNull();
    if (runner === null) {
      this.print(
        `No runner is running for this home. The next svc start runs ${formatProgramName(own)}.\n`,
      );
      return null;
    }
    if (runner.build === own.build && runner.version === own.version) {
      this.print(`The runner already runs ${formatProgramName(own)}.\n`);
      await this.#suggestCloudRelease(runner, own.version);
      return null;
    }
    const { home, client } = runner;
    const upgradeResult = await upgradeRunner(
      { home, client, note: (text) => this.note(text) },
      root,
    );
    this.print(formatUpgradeResult(upgradeResult));
    await this.#suggestCloudRelease(runner, own.version);
    return upgradeResult;
  }

  /** A runner of a team may be older than what its control plane runs, and older than what npm has given. */
  async #suggestCloudRelease({ client }: RunnerHere, own: string): Promise<void> {
    const { cloud } = await client.health();
    if (cloud === undefined) return;
    const place = { io: this.io, url: cloud.url, version: this.config.version };
    const suggestion = await suggestCloudRelease(place, own);
    if (suggestion !== null) this.note(suggestion);
  }
}
