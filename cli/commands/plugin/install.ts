import { Args, Flags } from '@oclif/core';
import type { PluginView } from '../../../src/schema/plugin.ts';
import { packageSpec } from '../../input/packageSpec.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginText } from '../../render/pluginText.ts';

export default class PluginInstallCommand extends PluginCommand {
  static override summary = 'Install a runner plugin from npm, a folder or a packed tarball.';
  static override description =
    'Scripts of the package and its dependencies run only with --allow-scripts. The plugin can be used immediately. A plugin is code that runs with your rights. To install a package that adds commands: svc plugins install.';
  static override examples = [
    '<%= config.bin %> plugin install ./greeter',
    '<%= config.bin %> plugin install svc-plugin-greeter@1.2.0 --id greeter',
  ];
  static override args = {
    spec: Args.string({
      description: 'Name in the npm registry, a folder or a .tgz file.',
      required: true,
    }),
  };
  static override flags = {
    id: Flags.string({ description: 'ID that the plugin must have.', helpValue: '<id>' }),
    'allow-scripts': Flags.boolean({
      description: 'Run the install scripts of the package and its dependencies.',
    }),
  };

  async run(): Promise<PluginView> {
    const { args, flags } = await this.parse(PluginInstallCommand);
    const plugin = await (await this.service(flags)).installPlugin({
      spec: packageSpec(args.spec, this.io.homeDir),
      ...(flags.id === undefined ? {} : { id: flags.id }),
      ...(flags['allow-scripts'] ? { allowScripts: true } : {}),
    });
    this.print(pluginText(plugin));
    if (plugin.health.state === 'unhealthy') this.io.exitWith(1);
    return plugin;
  }
}
