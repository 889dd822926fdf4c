import type { NotificationChannels } from '../../../src/contract/schema/runner/notifications.ts';
import { SvcCommand } from '../../base/base.ts';
import { CHANNEL_HEADER, toChannelRow } from '../../render/runner/toChannelRow.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

export default class NotifyCommand extends SvcCommand {
  static override summary = 'List the channels of notifications and how each works.';
  static override description =
    'Channels and rules are in the section notifications of the configuration. svc notify test sends a message to one.';
  static override examples = ['<%= config.bin %> notify'];

  async run(): Promise<NotificationChannels> {
    const { flags } = await this.parse(NotifyCommand);
    const reply = await (await this.client(flags)).notificationChannels();
    const rows = reply.channels.map((channel) => toChannelRow(channel).map(toPrintableLine));
    this.print(
      rows.length === 0
        ? 'No channel is configured. Add one to notifications.channels: svc config path shows the file.\n'
        : renderTable(CHANNEL_HEADER, rows, this.io),
    );
    return reply;
  }
}
