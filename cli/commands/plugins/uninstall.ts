import { Args } from '@oclif/core';
import { uninstallCommandPlugin } from '../../../src/plugins/commands/commandPlugins.ts';
import { CommandPluginCommand } from '../../base/commandPluginCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class PluginsUninstallCommand extends CommandPluginCommand {
  static override summary =
    'Remove a package that adds commands. The folder of a linked package stays.';
  static override description = 'To remove a runner plugin: svc plugin uninstall.';
  static override examples = ['<%= config.bin %> plugins uninstall @acme/svc-commands'];
  static override args = {
    name: Args.string({ description: 'Name of the package.', required: true }),
  };

  async run(): Promise<{ name: string }> {
    const { args } = await this.parse(PluginsUninstallCommand);
    await uninstallCommandPlugin(this.deps(), args.name);
    this.print(`${toPrintableLine(args.name)} is removed\n`);
    await this.refreshCompletion();
    return { name: args.name };
  }
}
