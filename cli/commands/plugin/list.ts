import type { PluginView } from '../../../src/schema/plugin.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { faultsText, PLUGIN_HEADER, pluginRow } from '../../render/pluginText.ts';
import { printableLine } from '../../render/printable.ts';
import { table } from '../../render/table.ts';

export default class PluginListCommand extends PluginCommand {
  static override summary = 'List built-in and installed plugins and their health.';
  static override description = 'To list packages that add commands: svc plugins.';
  static override examples = ['<%= config.bin %> plugin list'];

  async run(): Promise<PluginView[]> {
    const { flags } = await this.parse(PluginListCommand);
    const plugins = await (await this.service(flags)).plugins();
    const rows = plugins.map((plugin) => pluginRow(plugin).map(printableLine));
    this.print(table(PLUGIN_HEADER, rows, this.io) + faultsText(plugins));
    this.note('Packages that add commands: svc plugins\n');
    return plugins;
  }
}
