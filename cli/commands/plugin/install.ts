import { Args, Flags } from '@oclif/core';
import type { PluginView, PluginSetting } from '../../../src/contract/schema/runner/plugin.ts';
import { resolvePackageSpec } from '../../input/resolvePackageSpec.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { selectConfigSource } from '../../remote/selectConfigSource.ts';
import { formatPlugin } from '../../render/runner/formatPlugin.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

/** The settings that a plugin requires and that have neither a value nor a default. */
const listNeededSettings = (
  { settings }: Pick<PluginView, 'settings'>,
  givenSettings: Readonly<Record<string, unknown>>,
): [name: string, setting: PluginSetting][] =>
  Object.entries(settings).filter(
    ([name, { required, default: value }]) =>
      required === true && value === undefined && !Object.hasOwn(givenSettings, name),
  );

function formatSettingCommands(
  id: string,
  neededSettings: readonly (readonly [name: string, setting: PluginSetting])[],
): string {
  const lines = neededSettings.map(([name, { secret, type, description }]) => {
    const value = secret ? '- < file' : `<${type}>`;
    return [`svc config set plugins.installed.${id}.config.${name} ${value}`, description] as const;
  });
  const width = Math.max(0, ...lines.map(([command]) => command.length));
  return lines
    .map(([command, description]) => toPrintableLine(`  ${command.padEnd(width)}  ${description}`))
    .map((line) => `${line}\n`)
    .join('');
}

const TO_BE_SET = 'settings are missing';

export default class PluginInstallCommand extends PluginCommand {
  static override summary = 'Install a runner plugin from npm, a folder or a packed tarball.';
  static override description =
    'Scripts of the package and its dependencies run only with --allow-scripts. The plugin can be used immediately. A plugin is code that runs with your permissions. To install a package that adds commands: svc plugins install. Exits with 0 if the plugin is installed; if required settings are missing, the commands that set them are printed. Exits with 1 if it is not installed, or cannot be used for another reason.';
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

  /** What is configured of a plugin; nothing where that cannot be read. */
  async #readConfigured(
    flags: { url: string | undefined },
    id: string,
  ): Promise<Record<string, unknown>> {
    const source = await selectConfigSource(this.io, this.client(flags), this.isNamed(flags));
    const read = await source.config().catch(() => null);
    const entry = Object(Object(read?.reply.config.plugins).installed)[id];
    return Object(Object(entry).config);
  }

  async run(): Promise<PluginView> {
    const { args, flags } = await this.parse(PluginInstallCommand);
    const plugin = await (await this.service(flags)).installPlugin({
      spec: resolvePackageSpec(args.spec, this.io.homeDir),
      ...(flags.id === undefined ? {} : { id: flags.id }),
      ...(flags['allow-scripts'] ? { allowScripts: true } : {}),
    });
    if (plugin.health.state !== 'unhealthy') {
      this.print(formatPlugin(plugin));
      return plugin;
    }
    const { id } = plugin;
    const neededSettings = listNeededSettings(plugin, await this.#readConfigured(flags, id));
    if (neededSettings.length > 0) {
      this.print(formatPlugin({ ...plugin, health: { ...plugin.health, detail: TO_BE_SET } }));
      this.note(
        `${id} is installed. Set the required values; they take effect immediately:\n${formatSettingCommands(id, neededSettings)}`,
      );
      return plugin;
    }
    this.print(formatPlugin(plugin));
    this.note(
      `${id} is installed but not usable yet. After a change: svc plugin healthcheck ${id}\n`,
    );
    this.io.exitWith(1);
    return plugin;
  }
}
