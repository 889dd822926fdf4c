import { SvcError } from '../../../src/lib/errors.ts';
import { PluginCommand, pluginIdArg } from '../../base/pluginCommand.ts';
import { printableLine } from '../../render/printable.ts';

/** Names of packages are no ids. Throws SvcError `bad-argument`. */
function checkNoPackage(id: string): void {
  if (!/[@/]/.test(id)) return;
  const mend =
    'Ids are listed by: svc plugin list. A package that brought commands is removed by: svc plugins uninstall';
  throw new SvcError(
    'bad-argument',
    `${id} is the name of a package, not the id of a plugin of the runner. ${mend}`,
  );
}

export default class PluginUninstallCommand extends PluginCommand {
  static override summary = 'Remove an installed plugin of the runner. Sessions that run go on.';
  static override description =
    'Packages that bring new commands are removed by: svc plugins uninstall.';
  static override examples = ['<%= config.bin %> plugin uninstall greeter'];
  static override args = { id: pluginIdArg };

  async run(): Promise<{ id: string }> {
    const { args, flags } = await this.parse(PluginUninstallCommand);
    checkNoPackage(args.id);
    await (await this.desk(flags)).uninstallPlugin(args.id);
    this.print(`${printableLine(args.id)} is removed\n`);
    return { id: args.id };
  }
}
