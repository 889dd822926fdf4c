import type { PluginHealth } from '../../../src/schema/plugin.ts';
import { PluginCommand, pluginIdArg } from '../../base/pluginCommand.ts';
import { printableLine } from '../../render/printable.ts';

export default class PluginHealthcheckCommand extends PluginCommand {
  static override summary = 'Check whether a plugin works.';
  static override description = 'Exits with 1 if it does not.';
  static override examples = ['<%= config.bin %> plugin healthcheck greeter'];
  static override args = { id: pluginIdArg };

  async run(): Promise<PluginHealth> {
    const { args, flags } = await this.parse(PluginHealthcheckCommand);
    const health = await (await this.service(flags)).checkPlugin(args.id);
    this.print(
      `${health.state}${health.detail === '' ? '' : `: ${printableLine(health.detail)}`}\n`,
    );
    if (health.state !== 'healthy') this.io.exitWith(1);
    return health;
  }
}
