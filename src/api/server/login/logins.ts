import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { type Ids, sha256 } from '../../../base/system/ids/ids.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import { LOGIN_MS, setLoginCookie } from './loginCookie.ts';

/** Logins that are kept at once; the one that was not used for longest goes. */
export const MAX_LOGINS = 32;
/** A use is written down when the last one is older than this, ms: not every request is a write. */
const USED_STEP_MS = 60 * 60_000;

const TABLE = 'logins';

export type LoginRow = Tables['logins'];

export interface LoginTable {
  all(): LoginRow[];
  write(changes: RowChange<typeof TABLE>[]): Promise<void>;
}

export interface Login {
  row: LoginRow;
  cookie: string;
}

const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Browsers that were let into the dashboard. A login is two secrets: a cookie, which the browser
 * sends to every port of the host, and a page key, which only pages of this origin can read. It
 * lasts 30 days from its last use and outlives restarts of the runner.
 */
export class Logins {
  readonly #table: LoginTable;
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor(table: LoginTable, ids: Ids, clock: Clock) {
    this.#table = table;
    this.#ids = ids;
    this.#clock = clock;
  }

  async open(instead: Login | null): Promise<{ cookie: string; pageKey: string }> {
    const cookie = this.#ids.secret();
    const pageKey = this.#ids.secret();
    const now = this.#clock.now();
    const newestFirst = this.#table.all().sort((a, b) => b.used_at - a.used_at);
    const keptRows = newestFirst
      .filter((row) => this.#isGood(row) && row.cookie_hash !== instead?.row.cookie_hash)
      .slice(0, MAX_LOGINS - 1);
    const row: LoginRow = {
      cookie_hash: sha256(cookie),
      page_key_hash: sha256(pageKey),
      created_at: now,
      used_at: now,
    };
    await this.#table.write([
      ...newestFirst.filter((old) => !keptRows.includes(old)).map(dropLoginRow),
      { op: 'put', table: TABLE, row },
    ]);
    return { cookie, pageKey };
  }

  /** The login that one of these cookies belongs to; null = none that is still good. */
  find(cookies: readonly string[]): Login | null {
    if (cookies.length === 0) return null;
    const rows = this.#table.all();
    for (const cookie of cookies) {
      const hash = sha256(cookie);
      const row = rows.find((one) => isSameHash(one.cookie_hash, hash));
      if (row && this.#isGood(row)) return { row, cookie };
    }
    return null;
  }

  fits({ row }: Login, pageKey: string): boolean {
    return isSameHash(row.page_key_hash, sha256(pageKey));
  }

  /**
   * Lets the login last from now, in the store and in the browser. A store that cannot be written
   * keeps the earlier time.
   */
  noteUse(ctx: Context, { row, cookie }: Login): void {
    const now = this.#clock.now();
    if (now - row.used_at < USED_STEP_MS) return;
    setLoginCookie(ctx, cookie);
    const change: RowChange<typeof TABLE> = {
      op: 'patch',
      table: TABLE,
      key: { cookie_hash: row.cookie_hash },
      set: { used_at: now },
    };
    this.#table.write([change]).catch(() => undefined);
  }

  async end({ row }: Login): Promise<void> {
    await this.#table.write([dropLoginRow(row)]);
  }

  async endAll(): Promise<number> {
    const rows = this.#table.all();
    await this.#table.write(rows.map(dropLoginRow));
    return rows.filter((row) => this.#isGood(row)).length;
  }

  #isGood(row: LoginRow): boolean {
    return this.#clock.now() - row.used_at < LOGIN_MS;
  }
}

const dropLoginRow = ({ cookie_hash }: LoginRow): RowChange<typeof TABLE> => ({
  op: 'drop',
  table: TABLE,
  key: { cookie_hash },
});
