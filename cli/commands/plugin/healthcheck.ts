import type { PluginHealth } from '../../../src/schema/plugin.ts';
import { PluginCommand, pluginIdArg } from '../../base/pluginCommand.ts';
import { printableLine } from '../../render/printable.ts';

export default class PluginHealthcheckCommand extends PluginCommand {
  static override summary = 'Look whether a plugin can work now.';
  static override description = 'Ends with 1 when it cannot.';
  static override examples = ['<%= config.bin %> plugin healthcheck greeter'];
  static override args = { id: pluginIdArg };

  async run(): Promise<PluginHealth> {
    const { args, flags } = await this.parse(PluginHealthcheckCommand);
    const health = await (await this.desk(flags)).checkPlugin(args.id);
    this.print(
      `${health.state}${health.detail === '' ? '' : `: ${printableLine(health.detail)}`}\n`,
    );
    if (health.state !== 'healthy') this.io.exitWith(1);
    return health;
  }
}
