import { Flags } from '@oclif/core';
import type { FoundAuth } from '../../../src/contract/schema/runner/plugin.ts';
import { SvcCommand } from '../../base/base.ts';
import { pluginArg, pluginFlag } from '../../input/resolveObjects.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

interface AuthReply {
  /** Secret settings and the variables that hold them, never the values. */
  found: FoundAuth[];
  applied: boolean;
  restart: string[];
}

export default class PluginAuthCommand extends SvcCommand {
  static override summary =
    "List the plugin secrets found in the runner's environment, or write them to the configuration.";
  static override description =
    'Values are never shown. Written values take effect immediately; the runner no longer needs the variables after its next start.';
  static override examples = [
    '<%= config.bin %> plugin auth greeter',
    '<%= config.bin %> plugin auth greeter --apply',
  ];
  static override args = { plugin: pluginArg };
  static override flags = {
    plugin: pluginFlag,
    apply: Flags.boolean({
      description: 'Write the secrets found to the configuration file.',
    }),
    setting: Flags.string({
      description: 'Only this secret. Can be given more than once.',
      multiple: true,
      dependsOn: ['apply'],
    }),
  };

  async run(): Promise<AuthReply> {
    const parsed = await this.parse(PluginAuthCommand);
    const { flags } = parsed;
    const { plugin: id } = this.objects(['plugin'], parsed);
    const client = await this.client(flags);
    const { applied, restart } = flags.apply
      ? await client.applyPluginAuth(id, flags.setting ? { settings: flags.setting } : {})
      : { applied: null, restart: [] };
    const authVariables = applied ?? (await client.detectPluginAuth(id));
    const rows = authVariables.map(({ setting, env }) => [setting, env].map(toPrintableLine));
    this.print(renderTable(['SETTING', 'VARIABLE'], rows, this.io));
    if (applied !== null) {
      const next =
        restart.length === 0
          ? ''
          : ` Takes effect after svc restart: ${restart.map(toPrintableLine).join(', ')}.`;
      this.print(`Written to the configuration.${next}\n`);
    }
    return { found: authVariables, applied: applied !== null, restart };
  }
}
