import { Args, Flags } from '@oclif/core';
import {
  type CommandPlugin,
  installCommandPlugin,
} from '../../../src/plugins/commands/commandPlugins.ts';
import { CommandPluginCommand } from '../../base/commandPluginCommand.ts';
import { resolvePackageSpec } from '../../input/resolvePackageSpec.ts';

export default class PluginsInstallCommand extends CommandPluginCommand {
  static override summary =
    'Install a package that adds commands, from npm, a folder or a packed tarball.';
  static override description =
    'Scripts of the package and its dependencies run only with --allow-scripts. Its commands run with your permissions. Needs no runner. Executors, forges, trackers and deciders are runner plugins: svc plugin install.';
  static override examples = [
    '<%= config.bin %> plugins install ./my-commands',
    '<%= config.bin %> plugins install @acme/svc-commands@1.2.0',
  ];
  static override args = {
    spec: Args.string({
      description: 'Name in the npm registry, a folder or a .tgz file.',
      required: true,
    }),
  };
  static override flags = {
    'allow-scripts': Flags.boolean({
      description: 'Run the install scripts of the package and its dependencies.',
    }),
  };

  async run(): Promise<CommandPlugin> {
    const { args, flags } = await this.parse(PluginsInstallCommand);
    const spec = resolvePackageSpec(args.spec, this.io.homeDir);
    const plugin = await installCommandPlugin(this.deps(), {
      spec,
      allowScripts: flags['allow-scripts'],
    });
    this.tellPlugin(plugin, args.spec);
    await this.refreshCompletion();
    return plugin;
  }
}
