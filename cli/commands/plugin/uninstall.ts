import { SvcError } from '../../../src/base/errors/errors.ts';
import { PluginCommand } from '../../base/pluginCommand.ts';
import { pluginArg, pluginFlag } from '../../input/resolveObjects.ts';
import { createSecretsPatch } from '../../../src/base/secrets/createSecretsPatch.ts';
import type { PluginJob, PluginView } from '../../../src/contract/schema/runner/plugin.ts';
import { selectConfigSource } from '../../remote/selectConfigSource.ts';
import { refuseInsideSession, confirmAtTerminal } from '../../input/confirmOrRefuse.ts';
import { yesAtTerminalFlag } from '../../input/flags.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

const MAX_SHOWN = 20;

/** Names of packages are not ids. Throws SvcError `bad-argument`. */
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
  static override description =
    'Its secrets are removed; its other settings stay in the configuration and are listed. Jobs that use it as their forge or tracker are listed; at a terminal, asks for confirmation. To remove a package that adds commands: svc plugins uninstall.';
  static override examples = ['<%= config.bin %> plugin uninstall greeter'];
  static override args = { plugin: pluginArg };
  static override flags = { plugin: pluginFlag, yes: yesAtTerminalFlag };

  async #mayRemove(id: string, jobs: readonly PluginJob[], yes: boolean): Promise<boolean> {
    if (jobs.length === 0) return true;
    const shownJobs = jobs.slice(0, MAX_SHOWN);
    const rows = shownJobs.map((job) =>
      [job.id, job.status, job.needs.join(', ')].map(toPrintableLine),
    );
    const more =
      jobs.length > shownJobs.length ? `and ${jobs.length - shownJobs.length} more\n` : '';
    this.note(
      `${jobs.length === 1 ? '1 job needs' : `${jobs.length} jobs need`} ${id}, and cannot continue until it is installed again:\n${renderTable(['JOB', 'STATUS', 'NEEDS'], rows, this.io)}${more}`,
    );
    return confirmAtTerminal(this.io, yes, `Remove ${id}?`);
  }

  /** Keys of its secrets that have a value; empty if they cannot be read. */
  async #listStoredSecrets(
    flags: { url: string | undefined },
    id: string,
    plugins: readonly PluginView[],
  ): Promise<string[]> {
    const declaredSettings = plugins.find((one) => one.id === id)?.settings ?? {};
    const secrets = Object.keys(declaredSettings).filter(
      (name) => declaredSettings[name]?.secret === true,
    );
    if (secrets.length === 0) return [];
    const source = await selectConfigSource(this.io, this.client(flags), this.isNamed(flags));
    const read = await source.config().catch(() => null);
    const change = createSecretsPatch(read?.reply.config, id, secrets);
    return (change?.removed ?? []).map((name) => `plugins.installed.${id}.config.${name}`);
  }

  async run(): Promise<{ id: string }> {
    const parsed = await this.parse(PluginUninstallCommand);
    const { flags } = parsed;
    const { plugin: id } = this.objects(['plugin'], parsed);
    checkNoPackage(id);
    refuseInsideSession(this.io.env, 'remove plugins');
    const service = await this.service(flags);
    if (!(await this.#mayRemove(id, await service.pluginJobs(id), flags.yes))) {
      this.io.err('Nothing was removed.\n');
      this.io.exitWith(1);
      return { id };
    }
    const secrets = await this.#listStoredSecrets(flags, id, await service.plugins());
    await service.uninstallPlugin(id);
    this.print(`${toPrintableLine(id)} is removed\n`);
    if (secrets.length > 0)
      this.note(`Also removed from the configuration: ${secrets.join(', ')}.\n`);
    const leftPlugin = (await service.plugins()).find((one) => one.id === id);
    if (leftPlugin) this.note(`${toPrintableLine(leftPlugin.health.detail)}\n`);
    return { id };
  }
}
