import type { PluginView } from '../../../src/contract/schema/runner/plugin.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import {
  formatPluginFaults,
  PLUGIN_HEADER,
  toPluginRow,
} from '../../render/runner/formatPlugin.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

export default class PluginListCommand extends PluginCommand {
  static override summary = 'List built-in and installed plugins and their health.';
  static override description = 'To list packages that add commands: svc plugins.';
  static override examples = ['<%= config.bin %> plugin list'];

  async run(): Promise<PluginView[]> {
    const { flags } = await this.parse(PluginListCommand);
    const plugins = await (await this.service(flags)).plugins();
    const rows = plugins.map((plugin) => toPluginRow(plugin).map(toPrintableLine));
    this.print(renderTable(PLUGIN_HEADER, rows, this.io) + formatPluginFaults(plugins));
    this.note('Packages that add commands: svc plugins\n');
    return plugins;
  }
}
