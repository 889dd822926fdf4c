import { resolve } from 'node:path';
import { Args } from '@oclif/core';
import { absolutePath } from '../../../src/config/paths.ts';
import {
  type CommandPlugin,
  linkCommandPlugin,
} from '../../../src/plugins/commands/commandPlugins.ts';
import { CommandPluginCommand } from '../../base/commandPluginCommand.ts';

export default class PluginsLinkCommand extends CommandPluginCommand {
  static override summary = 'Use the commands of a folder as they are, while you write them.';
  static override description =
    'Nothing is copied, fetched or run; what changes in the folder counts at once.';
  static override examples = ['<%= config.bin %> plugins link .'];
  static override args = {
    folder: Args.string({ description: 'Folder of the package. Default: this one.', default: '.' }),
  };

  async run(): Promise<CommandPlugin> {
    const { args } = await this.parse(PluginsLinkCommand);
    const plugin = await linkCommandPlugin(
      this.deps(),
      absolutePath(args.folder, resolve('.'), this.io.homeDir),
    );
    this.tellPlugin(plugin, args.folder);
    await this.refreshCompletion();
    return plugin;
  }
}
