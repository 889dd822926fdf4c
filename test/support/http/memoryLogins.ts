import type { LoginRow, LoginTable } from '../../../src/api/server/login/logins.ts';
import type { RowChange } from '../../../src/contract/records/changes.ts';

export class MemoryLogins implements LoginTable {
  readonly rows = new Map<string, LoginRow>();

  all(): LoginRow[] {
    return [...this.rows.values()].map((row) => ({ ...row }));
  }

  async write(changes: RowChange<'logins'>[]): Promise<void> {
    for (const change of changes) {
      const key = String(change.op === 'put' ? change.row.cookie_hash : change.key.cookie_hash);
      if (change.op === 'drop') this.rows.delete(key);
      else if (change.op === 'put') this.rows.set(key, change.row);
      else Object.assign(this.rows.get(key) ?? {}, change.set);
    }
  }
}
