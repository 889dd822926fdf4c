import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Database, TransactionSql } from '../../database/database.ts';

/** How long one key signs, ms. */
export const KEY_MS = 30 * 24 * 60 * 60_000;
/** How long a retired key still proves what it has signed, ms; access tokens last ten minutes. */
const RETIRED_MS = 60 * 60_000;
/** How old the keys of this node may be, ms: another node may have changed them. */
const FRESH_MS = 60_000;
/** A key id that is not known makes the node read again, this often at most, ms. */
const REREAD_MS = 10_000;

export const SIGNING_ALGORITHM = 'ES256';

export interface SigningKey {
  kid: string;
  private: JWK;
  state: 'next' | 'current' | 'retired';
  createdAt: number;
}

interface KeyRow {
  kid: string;
  private: JWK;
  state: SigningKey['state'];
  created_at: Date;
}

async function addKey(sql: TransactionSql, ids: Ids, state: SigningKey['state'], now: number) {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const kid = ids.next();
  const publicKeyFields = { kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  const [publicKey, privateKey] = [
    await exportJWK(pair.publicKey),
    await exportJWK(pair.privateKey),
  ];
  await sql`
    insert into signing_keys (kid, public, private, state, created_at)
    values (${kid}, ${sql.json({ ...publicKey, ...publicKeyFields } as never)},
      ${sql.json({ ...privateKey, ...publicKeyFields } as never)}, ${state}, ${new Date(now)})`;
}

/**
 * The keys that sign access tokens. Two are published from the first day, so that everyone who
 * keeps a copy knows the next one before it signs. `created_at` is when a key entered its state.
 */
export class SigningKeys {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  #keys: readonly SigningKey[] = [];
  readonly #imported = new WeakMap<SigningKey, Promise<CryptoKey | Uint8Array>>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(parts: { database: Database; clock: Clock; ids: Ids }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
  }

  /** Current first, then next, then retired. The same array until something changes. */
  async list(): Promise<readonly SigningKey[]> {
    if (Math.abs(this.#clock.now() - this.#readAt) >= FRESH_MS) await this.#read();
    return this.#keys;
  }

  /** null = no key of this control plane has this id. */
  async find(kid: string): Promise<SigningKey | null> {
    const signingKey = (await this.list()).find((key) => key.kid === kid);
    if (signingKey !== undefined) return signingKey;
    if (Math.abs(this.#clock.now() - this.#readAt) < REREAD_MS) return null;
    await this.#read();
    return this.#keys.find((key) => key.kid === kid) ?? null;
  }

  /** What proves a signature of the key; imported once, since each request needs it. null as in {@link find}. */
  async findPublic(kid: string): Promise<CryptoKey | Uint8Array | null> {
    const key = await this.find(kid);
    if (key === null) return null;
    const { d: _, ...publicKey } = key.private;
    const importing = this.#imported.get(key) ?? importJWK(publicKey, SIGNING_ALGORITHM);
    this.#imported.set(key, importing);
    return importing;
  }

  async #read(): Promise<void> {
    const now = this.#clock.now();
    const rows = await this.#database.transaction((sql) => this.#keepOrder(sql, now));
    const keys = rows.map(({ created_at, ...row }) => ({
      ...row,
      createdAt: created_at.getTime(),
    }));
    this.#readAt = now;
    const names = (list: readonly SigningKey[]) =>
      list.map(({ kid, state }) => `${kid} ${state}`).join();
    if (names(keys) !== names(this.#keys)) this.#keys = keys;
  }

  /** Makes what is missing and moves keys on, in turn with other nodes. */
  async #keepOrder(sql: TransactionSql, now: number): Promise<KeyRow[]> {
    const ready = await readKeys(sql);
    if (isInOrder(ready, now)) return ready;
    await sql`lock table signing_keys in share row exclusive mode`;
    const rows = await readKeys(sql);
    if (isInOrder(rows, now)) return rows;
    const current = rows.find(({ state }) => state === 'current');
    const next = rows.find(({ state }) => state === 'next');
    if (current !== undefined && now - current.created_at.getTime() >= KEY_MS) {
      await setState(sql, current.kid, 'retired', now);
      if (next === undefined) await addKey(sql, this.#ids, 'current', now);
      else await setState(sql, next.kid, 'current', now);
      await addKey(sql, this.#ids, 'next', now);
    } else {
      if (current === undefined) await addKey(sql, this.#ids, 'current', now);
      if (next === undefined) await addKey(sql, this.#ids, 'next', now);
    }
    await sql`
      delete from signing_keys
      where state = 'retired' and created_at <= ${new Date(now - RETIRED_MS)}`;
    return readKeys(sql);
  }
}

const readKeys = (sql: TransactionSql) => sql<KeyRow[]>`
  select kid, private, state, created_at from signing_keys
  order by array_position(array['current', 'next', 'retired'], state), kid`;

const setState = (sql: TransactionSql, kid: string, state: SigningKey['state'], now: number) => sql`
  update signing_keys set state = ${state}, created_at = ${new Date(now)} where kid = ${kid}`;

const isInOrder = (rows: readonly KeyRow[], now: number): boolean =>
  rows.some(({ state }) => state === 'next') &&
  rows.some(
    ({ state, created_at }) => state === 'current' && now - created_at.getTime() < KEY_MS,
  ) &&
  !rows.some(
    ({ state, created_at }) => state === 'retired' && now - created_at.getTime() >= RETIRED_MS,
  );
