import { Args } from '@oclif/core';
import type { NotificationTest } from '../../../src/contract/schema/runner/notifications.ts';
import { SvcCommand } from '../../base/base.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class NotifyTestCommand extends SvcCommand {
  static override summary = 'Send a test message to a channel.';
  static override description =
    'Sends it now, whatever rules and quiet hours say. Exits with 1 if the channel did not take it.';
  static override examples = ['<%= config.bin %> notify test team-slack'];
  static override args = {
    channel: Args.string({
      description: 'Name of the channel, as svc notify shows it.',
      required: true,
    }),
  };

  async run(): Promise<NotificationTest> {
    const { args, flags } = await this.parse(NotifyTestCommand);
    const result = await (await this.client(flags)).testNotification(args.channel, {});
    if (result.delivered) this.print(`${result.channel} took the test message.\n`);
    else {
      const line = `${result.channel} did not take the test message: ${result.problem}`;
      this.io.err(`${toPrintableLine(line)}\n`);
      this.io.exitWith(1);
    }
    return result;
  }
}
