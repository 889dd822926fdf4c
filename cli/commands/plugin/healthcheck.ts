import type { PluginHealth } from '../../../src/contract/schema/runner/plugin.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginArg, pluginFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class PluginHealthcheckCommand extends PluginCommand {
  static override summary = 'Check whether a plugin works.';
  static override description = 'Exits with 1 if it does not work.';
  static override examples = ['<%= config.bin %> plugin healthcheck greeter'];
  static override args = { plugin: pluginArg };
  static override flags = { plugin: pluginFlag };

  async run(): Promise<PluginHealth> {
    const parsed = await this.parse(PluginHealthcheckCommand);
    const { flags } = parsed;
    const { plugin: id } = this.objects(['plugin'], parsed);
    const health = await (await this.service(flags)).checkPlugin(id);
    this.print(
      `${health.state}${health.detail === '' ? '' : `: ${toPrintableLine(health.detail)}`}\n`,
    );
    if (health.state !== 'healthy') this.io.exitWith(1);
    return health;
  }
}
