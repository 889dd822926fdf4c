import type { TeamWebhookList } from '../../../../src/contract/schema/cloud/webhook.ts';
import { teamFlag, WebhookCommand } from '../../../base/webhookCommand.ts';
import { formatWebhookList } from '../../../render/cloud/formatWebhooks.ts';

export default class CloudWebhookListCommand extends WebhookCommand {
  static override summary = 'List the senders whose webhooks the team takes.';
  static override description =
    'Shows when the newest webhook came, what waits for runners that are away, what a runner refuses and why, and jobs of trigger rules that no runner has created.';
  static override examples = ['<%= config.bin %> cloud webhook list'];
  static override flags = teamFlag;

  async run(): Promise<TeamWebhookList> {
    const { flags } = await this.parse(CloudWebhookListCommand);
    const list = await this.listWebhooks(await this.openWebhooks(flags.team));
    this.print(formatWebhookList(list, this.io.now()));
    return list;
  }
}
