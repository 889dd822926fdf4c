import type { Adapter, AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Database } from '../../database/database.ts';
import { type IssuerErrors, toIssuerFault } from './issuerFaults.ts';

/**
 * How long after its first use a refresh token may be used again, ms: the answer may have been lost
 * on its way. Only until the token that it was exchanged for has been used.
 */
export const REUSE_TOLERANCE_MS = 30_000;
/** How often a device may ask whether its code was allowed, ms; each too early question adds as much. */
export const POLL_INTERVAL_MS = 5000;

/** When a token was replaced by a sibling: always too long ago to be tolerated. */
const SUPERSEDED = new Date(1000);

interface RecordRow {
  payload: AdapterPayload & { pollAfter?: number; pollStep?: number };
  consumed_at: Date | null;
}

export interface RecordPlaces {
  database: Database;
  clock: Clock;
  errors: IssuerErrors;
}

/**
 * Where the authorization server keeps what it issues: one row each, under the SHA-256 of its
 * secret. What is read back names the secret only because the reader has just sent it.
 */
export class OauthRecords implements Adapter {
  readonly #model: string;
  readonly #places: RecordPlaces;

  constructor(model: string, places: RecordPlaces) {
    this.#model = model;
    this.#places = places;
  }

  upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { database, clock } = this.#places;
    const { jti: _, userCode, consumed: __, ...kept } = payload;
    // The secret of a login that the server made for one request; nothing reads it.
    if (kept.session) kept.session = { ...kept.session, cookie: '' };
    const expiresAt = expiresIn === undefined ? null : new Date(clock.now() + expiresIn * 1000);
    const row = {
      model: this.#model,
      id: sha256(id),
      // Only what JSON has: members without a value are left out.
      payload: database.sql.json(JSON.parse(JSON.stringify(kept))),
      grant_id: payload.grantId ?? null,
      user_code: userCode === undefined ? null : sha256(userCode),
      uid: payload.uid ?? null,
      expires_at: expiresAt,
    };
    return this.#guard(() =>
      database.transaction(async (sql) => {
        await sql`
          insert into oauth_records ${sql(row)}
          on conflict (model, id) do update set
            payload = excluded.payload, grant_id = excluded.grant_id,
            user_code = coalesce(excluded.user_code, oauth_records.user_code),
            uid = excluded.uid, expires_at = excluded.expires_at`;
        if (this.#model !== 'RefreshToken' || row.grant_id === null) return;
        // Of several tokens that one was exchanged for, the last one counts. In turn for a grant.
        await sql`select pg_advisory_xact_lock(hashtextextended(${row.grant_id}, 0))`;
        await sql`
          update oauth_records set consumed_at = ${SUPERSEDED}
          where model = ${this.#model} and grant_id = ${row.grant_id} and id <> ${row.id}
            and consumed_at is null and payload->>'rotations' = ${String(payload.rotations ?? 0)}`;
      }),
    );
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#guard(async () => {
      const row = await this.#read(id);
      if (row === undefined) return undefined;
      const { pollAfter = 0, pollStep = POLL_INTERVAL_MS, ...payload } = row.payload;
      if (this.#model === 'DeviceCode') await this.#keepPace(id, pollAfter, pollStep);
      const isUsed = row.consumed_at !== null && !(await this.#isTolerated(row));
      return {
        ...payload,
        jti: id,
        ...(isUsed ? { consumed: Math.floor((row.consumed_at?.getTime() ?? 0) / 1000) } : {}),
      };
    });
  }

  /** The page of devices reads codes by itself: the server's own page is not offered. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#guard(async () => {
      const [row] = await this.#places.database.sql<RecordRow[]>`
        select payload from oauth_records where model = ${this.#model} and uid = ${uid}`;
      return row?.payload;
    });
  }

  /** Once: of two requests with one code that come together, the second is refused, and both end. */
  consume(id: string): Promise<void> {
    const { database, clock, errors } = this.#places;
    return this.#guard(async () => {
      const now = new Date(clock.now());
      const usedRows = await database.sql`
        update oauth_records set consumed_at = ${now}
        where model = ${this.#model} and id = ${sha256(id)} and consumed_at is null`;
      if (usedRows.count > 0 || this.#model === 'RefreshToken') return;
      await database.sql`
        delete from oauth_records where grant_id = (
          select grant_id from oauth_records where model = ${this.#model} and id = ${sha256(id)})`;
      throw new errors.InvalidGrant();
    });
  }

  destroy(id: string): Promise<void> {
    return this.#guard(async () => {
      await this.#places.database.sql`
        delete from oauth_records where model = ${this.#model} and id = ${sha256(id)}`;
    });
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.#guard(async () => {
      await this.#places.database.sql`
        delete from oauth_records where model = ${this.#model} and grant_id = ${grantId}`;
    });
  }

  async #read(id: string): Promise<RecordRow | undefined> {
    const [row] = await this.#places.database.sql<RecordRow[]>`
      select payload, consumed_at from oauth_records
      where model = ${this.#model} and id = ${sha256(id)}`;
    return row;
  }

  /** RFC 8628, 3.5: who asks too early waits longer from then on. Throws `slow_down`. */
  async #keepPace(id: string, pollAfter: number, pollStep: number): Promise<void> {
    const { database, clock, errors } = this.#places;
    const now = clock.now();
    const isEarly = now < pollAfter;
    const step = isEarly ? pollStep + POLL_INTERVAL_MS : pollStep;
    await database.sql`
      update oauth_records
      set payload = payload || ${database.sql.json({ pollAfter: now + step, pollStep: step })}
      where model = ${this.#model} and id = ${sha256(id)}`;
    if (isEarly) throw new errors.SlowDown();
  }

  async #isTolerated({ payload, consumed_at }: RecordRow): Promise<boolean> {
    const { database, clock } = this.#places;
    const age = clock.now() - (consumed_at?.getTime() ?? 0);
    if (this.#model !== 'RefreshToken' || age > REUSE_TOLERANCE_MS) return false;
    const [next] = await database.sql`
      select 1 from oauth_records
      where model = ${this.#model} and grant_id = ${payload.grantId ?? ''}
        and payload->>'rotations' = ${String(Number(payload.rotations ?? 0) + 1)}
        and consumed_at > ${SUPERSEDED}`;
    return next === undefined;
  }

  /** Where the database does not answer, a client may send its request again. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toIssuerFault(error, this.#places.errors);
    }
  }
}
