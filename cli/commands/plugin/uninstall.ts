import { PluginCommand, pluginIdArg } from '../../pluginCommand.ts';
import { printableLine } from '../../printable.ts';

export default class PluginUninstallCommand extends PluginCommand {
  static override summary = 'Remove an installed plugin of the runner. Sessions that run go on.';
  static override examples = ['<%= config.bin %> plugin uninstall greeter'];
  static override args = { id: pluginIdArg };

  async run(): Promise<{ id: string }> {
    const { args, flags } = await this.parse(PluginUninstallCommand);
    await (await this.desk(flags)).uninstallPlugin(args.id);
    this.print(`${printableLine(args.id)} is removed\n`);
    return { id: args.id };
  }
}
