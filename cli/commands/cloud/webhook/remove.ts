import { pluginArg, teamFlag, WebhookCommand } from '../../../base/webhookCommand.ts';
import { confirmOrRefuse } from '../../../input/confirmOrRefuse.ts';
import { yesFlag } from '../../../input/flags.ts';

interface RemovedWebhook {
  plugin: string;
  removed: boolean;
}

export default class CloudWebhookRemoveCommand extends WebhookCommand {
  static override summary = 'Take no more webhooks of a sender.';
  static override description =
    'Its secret is forgotten, and what it sends from then on is refused. What it has sent is still delivered. Remove the webhook at the sender too.';
  static override examples = ['<%= config.bin %> cloud webhook remove github'];
  static override args = pluginArg;
  static override flags = { ...teamFlag, yes: yesFlag };

  async run(): Promise<RemovedWebhook> {
    const { args, flags } = await this.parse(CloudWebhookRemoveCommand);
    const { plugin } = args;
    const { session, path } = await this.openWebhooks(flags.team);
    if (!(await confirmOrRefuse(this.io, flags.yes, `Take no more webhooks of ${plugin}?`))) {
      this.io.err('Nothing was done.\n');
      this.io.exitWith(1);
      return { plugin, removed: false };
    }
    await session.ask(`${path}/${encodeURIComponent(plugin)}`, { method: 'DELETE' });
    this.print(`Webhooks of ${plugin} are refused from now on. Remove the webhook there too.\n`);
    return { plugin, removed: true };
  }
}
