import type { Pool } from '../../../src/contract/schema/policy/pool.ts';
import { SvcCommand } from '../../base/base.ts';
import { ACCOUNT_HEADER, toAccountRow } from '../../render/policy/toAccountRow.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';

export default class AccountsCommand extends SvcCommand {
  static override summary = 'List model accounts and their limits.';
  static override description =
    'An account is one key at a model endpoint. While it is at its limit, its jobs wait and then continue by themselves; only an unpaid account needs a person.';
  static override examples = ['<%= config.bin %> accounts'];

  async run(): Promise<Pool[]> {
    const { flags } = await this.parse(AccountsCommand);
    const accounts = await (await this.client(flags)).accounts();
    const now = this.io.now();
    const rows = accounts.map((account) => toAccountRow(account, now).map(toPrintableLine));
    this.print(
      rows.length === 0
        ? 'No account has been used yet.\n'
        : renderTable(ACCOUNT_HEADER, rows, this.io),
    );
    return accounts;
  }
}
