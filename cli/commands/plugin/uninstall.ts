import { SvcError } from '../../../src/lib/errors.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginArg, pluginFlag } from '../../input/objects.ts';
import { printableLine } from '../../render/printable.ts';

/** Names of packages are no ids. Throws SvcError `bad-argument`. */
function checkNoPackage(id: string): void {
  if (!/[@/]/.test(id)) return;
  const fix =
    'To list plugin IDs: svc plugin list. To remove a package that adds commands: svc plugins uninstall';
  throw new SvcError(
    'bad-argument',
    `${id} is a package name, not the ID of a runner plugin. ${fix}`,
  );
}

export default class PluginUninstallCommand extends PluginCommand {
  static override summary = 'Remove an installed runner plugin. Running sessions continue.';
  static override description = 'To remove a package that adds commands: svc plugins uninstall.';
  static override examples = ['<%= config.bin %> plugin uninstall greeter'];
  static override args = { plugin: pluginArg };
  static override flags = { plugin: pluginFlag };

  async run(): Promise<{ id: string }> {
    const parsed = await this.parse(PluginUninstallCommand);
    const { flags } = parsed;
    const { plugin: id } = this.objects(['plugin'], parsed);
    checkNoPackage(id);
    const service = await this.service(flags);
    await service.uninstallPlugin(id);
    this.print(`${printableLine(id)} is removed\n`);
    const left = (await service.plugins()).find((one) => one.id === id);
    if (left && !this.jsonEnabled()) this.io.err(`${printableLine(left.health.detail)}\n`);
    return { id };
  }
}
