import {
  type CommandPlugin,
  listCommandPlugins,
} from '../../../src/plugins/commands/commandPlugins.ts';
import { CommandPluginCommand } from '../../base/commandPluginCommand.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

export default class PluginsCommand extends CommandPluginCommand {
  static override summary = 'List the packages that add commands to svc.';
  static override description =
    'Plugins of the runner (executors, forges, trackers, deciders): svc plugin list.';
  static override examples = ['<%= config.bin %> plugins'];
  static override aliases = ['plugins:list'];

  async run(): Promise<CommandPlugin[]> {
    await this.parse(PluginsCommand);
    const plugins = await listCommandPlugins(this.deps().dir);
    const rows = plugins.map(({ name, version, type, root, commands, problem }) =>
      [
        name,
        version || '-',
        type === 'link' ? root : 'installed',
        problem ?? commands.join(', '),
      ].map(toPrintableLine),
    );
    this.print(renderTable(['PACKAGE', 'VERSION', 'FROM', 'COMMANDS'], rows, this.io));
    this.note('Runner plugins (executors, forges, trackers, deciders): svc plugin list\n');
    return plugins;
  }
}
