import { Args } from '@oclif/core';
import type { Pool } from '../../../src/contract/schema/policy/pool.ts';
import { SvcCommand } from '../../base/base.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class AccountsRetryCommand extends SvcCommand {
  static override summary = 'Retry an account now, for example after paying its bill.';
  static override description =
    'Wakes one job that waits for the account as a probe; the others follow when it gets an answer.';
  static override examples = [
    '<%= config.bin %> accounts retry pool:anthropic:https://api.anthropic.com:0123456789ab',
  ];
  static override args = {
    account: Args.string({
      description: 'ID of the account, as svc accounts shows it.',
      required: true,
    }),
  };

  async run(): Promise<Pool> {
    const { args, flags } = await this.parse(AccountsRetryCommand);
    const account = await (await this.client(flags)).retryAccount({ pool: args.account });
    this.print(
      toPrintableLine(`${account.id} is ${account.state}; ${account.waiting} jobs wait for it.`),
    );
    return account;
  }
}
