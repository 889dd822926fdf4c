import type { Pool } from '../../../src/schema/pool.ts';
import { SvcCommand } from '../../base/base.ts';
import { POOL_HEADER, poolRow } from '../../render/poolText.ts';
import { printableLine } from '../../render/printable.ts';
import { table } from '../../render/table.ts';

export default class AccountsCommand extends SvcCommand {
  static override summary = 'List model accounts and their limits.';
  static override description =
    'An account is one key at a model endpoint. While it is at its limit, its jobs wait and then continue by themselves; only an unpaid account needs a person.';
  static override examples = ['<%= config.bin %> accounts'];

  async run(): Promise<Pool[]> {
    const { flags } = await this.parse(AccountsCommand);
    const pools = await (await this.client(flags)).accounts();
    const now = this.io.now();
    const rows = pools.map((pool) => poolRow(pool, now).map(printableLine));
    this.print(
      rows.length === 0 ? 'No account has been used yet.\n' : table(POOL_HEADER, rows, this.io),
    );
    return pools;
  }
}
