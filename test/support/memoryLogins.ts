import type { LoginRow, LoginTable } from '../../src/http/logins.ts';
import type { RowChange } from '../../src/durable/chart.ts';

const isLogin = (row: object): row is LoginRow =>
  'cookie_hash' in row && 'page_key_hash' in row && 'created_at' in row && 'used_at' in row;

/** The table of logins, in memory. */
export class MemoryLogins implements LoginTable {
  readonly rows = new Map<string, LoginRow>();

  all(): LoginRow[] {
    return [...this.rows.values()].map((row) => ({ ...row }));
  }

  async write(changes: RowChange[]): Promise<void> {
    for (const change of changes) {
      const key = String(change.op === 'put' ? change.row.cookie_hash : change.key.cookie_hash);
      if (change.op === 'drop') this.rows.delete(key);
      else if (change.op === 'put' && isLogin(change.row)) this.rows.set(key, change.row);
      else if (change.op === 'put') throw new Error(`no row of a login: ${JSON.stringify(change.row)}`);
      else Object.assign(this.rows.get(key) ?? {}, change.set);
    }
  }
}
