import { resolve } from 'node:path';
import { Args } from '@oclif/core';
import { resolveUserPath } from '../../../src/host/config/home/paths.ts';
import {
  type CommandPlugin,
  linkCommandPlugin,
} from '../../../src/plugins/commands/commandPlugins.ts';
import { CommandPluginCommand } from '../../base/commandPluginCommand.ts';

export default class PluginsLinkCommand extends CommandPluginCommand {
  static override summary = 'Link a folder of commands for development.';
  static override description =
    'Nothing is copied, downloaded or run. Changes in the folder take effect immediately.';
  static override examples = ['<%= config.bin %> plugins link .'];
  static override args = {
    folder: Args.string({
      description: 'Folder of the package. Default: the current folder.',
      default: '.',
    }),
  };

  async run(): Promise<CommandPlugin> {
    const { args } = await this.parse(PluginsLinkCommand);
    const plugin = await linkCommandPlugin(
      this.deps(),
      resolveUserPath(args.folder, resolve('.'), this.io.homeDir),
    );
    this.tellPlugin(plugin, args.folder);
    await this.refreshCompletion();
    return plugin;
  }
}
