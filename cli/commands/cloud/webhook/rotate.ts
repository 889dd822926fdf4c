import { Flags } from '@oclif/core';
import type { NewWebhook } from '../../../../src/contract/schema/cloud/webhook.ts';
import { pluginArg, secretFlag, teamFlag, WebhookCommand } from '../../../base/webhookCommand.ts';
import { createJsonInit } from '../../../cloud/cloudRequest.ts';
import { formatNewWebhook } from '../../../render/cloud/formatWebhooks.ts';

export default class CloudWebhookRotateCommand extends WebhookCommand {
  static override summary = 'Give a sender a new secret.';
  static override description =
    'The old secret is valid for 24 h more, so that no webhook is lost until the sender has the new one. If it has leaked, --now ends it at once.';
  static override examples = [
    '<%= config.bin %> cloud webhook rotate github',
    '<%= config.bin %> cloud webhook rotate github --now',
  ];
  static override args = pluginArg;
  static override flags = {
    ...secretFlag,
    ...teamFlag,
    now: Flags.boolean({ description: 'End the old secret at once.' }),
  };

  async run(): Promise<NewWebhook> {
    const { args, flags } = await this.parse(CloudWebhookRotateCommand);
    const { session, path } = await this.openWebhooks(flags.team);
    const secret = await this.readSecret(flags.secret);
    const body = { now: flags.now, ...(secret === undefined ? {} : { secret }) };
    const webhook = await session.ask<NewWebhook>(
      `${path}/${encodeURIComponent(args.plugin)}/rotate`,
      createJsonInit('POST', body),
    );
    this.print(formatNewWebhook(webhook));
    return webhook;
  }
}
