import type { Context } from 'koa';
import { type Ids, sha256 } from '../../../base/system/ids/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { CallTeam, Person } from '../../server/cloudCall.ts';
import { joinTeam, toCallTeam } from '../../server/gates/findMembership.ts';
import { SESSION_COOKIE } from '../../routes/browserLogin.ts';
import type { Database } from '../../database/database.ts';
import type { LoginConfirmation } from '../signOn/loginConfirmation.ts';
import { deriveFormToken } from './formTokens.ts';
import { readHostCookie, removeHostCookie, setHostCookie } from './hostCookies.ts';

/** A login of a browser ends so long after its last use, ms. */
export const SESSION_IDLE_MS = 12 * 60 * 60_000;
/** A use is written down when the last one is older than this, ms: not every request is a write. */
const USED_STEP_MS = 10 * 60_000;

export interface BrowserSession {
  person: Person;
  /** The one that was asked for; null = the person is not in such a team. */
  team: CallTeam | null;
  /** Forms carry it in `csrf`, requests of scripts in the header X-Svc-Csrf. */
  csrf: string;
}

interface SessionRow {
  user_id: string;
  email: string;
  name: string;
  csrf_hash: string;
  created_at: Date;
  used_at: Date;
  is_break_glass: boolean;
  has_issuer: boolean;
  id: string | null;
  slug: string | null;
  role: string | null;
}

export interface SessionParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** With https its cookies never travel without it. */
  publicUrl: string;
  /** Asked where people log in at a company's issuer. */
  confirmation: Pick<LoginConfirmation, 'isSessionValid'>;
}

/** Logins of browsers: a secret in a cookie that scripts cannot read, and its hash in the database. */
export class BrowserSessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #publicUrl: string;
  readonly #confirmation: SessionParts['confirmation'];

  constructor(parts: SessionParts) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#publicUrl = parts.publicUrl;
    this.#confirmation = parts.confirmation;
  }

  /**
   * Logs the browser in. Always under a new secret: one that was planted before the login is worth
   * nothing, and the login that the browser had before ends. `isBreakGlass`: by the link of an owner, so that no issuer
   * is asked about it.
   */
  async open(ctx: Context, userId: string, isBreakGlass = false): Promise<void> {
    await this.#remove(ctx);
    const secret = this.#ids.secret();
    const now = new Date(this.#clock.now());
    await this.#database.sql`
      insert into browser_sessions (token_hash, user_id, csrf_hash, created_at, used_at, is_break_glass)
      values (${sha256(secret)}, ${userId}, ${sha256(deriveFormToken(secret))}, ${now}, ${now}, ${isBreakGlass})`;
    this.#setCookie(ctx, secret);
  }

  /**
   * The login of the request, and the team with this ID or slug; null = none, one that was not used for too long, or that
   * the company's issuer has ended. In one statement: pages ask often, and each trip to the database delays them.
   */
  async find(ctx: Context, team = ''): Promise<BrowserSession | null> {
    const secret = readHostCookie(ctx, this.#publicUrl, SESSION_COOKIE);
    if (secret === null) return null;
    const hash = sha256(secret);
    const { sql } = this.#database;
    const [row] = await sql<SessionRow[]>`
      select s.user_id, users.email, users.name, s.csrf_hash, s.created_at, s.used_at, s.is_break_glass,
        exists (select 1 from company_issuer) as has_issuer, team.id, team.slug, team.role
      from browser_sessions s join users on users.id = s.user_id
      ${joinTeam(sql, team)}
      where s.token_hash = ${hash}`;
    if (row === undefined) return null;
    const now = this.#clock.now();
    const idleMs = now - row.used_at.getTime();
    if (idleMs >= SESSION_IDLE_MS) {
      await this.#database.sql`delete from browser_sessions where token_hash = ${hash}`;
      return null;
    }
    if (idleMs >= USED_STEP_MS) {
      await this.#database.sql`
        update browser_sessions set used_at = ${new Date(now)} where token_hash = ${hash}`;
      this.#setCookie(ctx, secret);
    }
    const csrf = deriveFormToken(secret);
    if (sha256(csrf) !== row.csrf_hash || !(await this.#isConfirmed(row))) return null;
    const { user_id: userId, email, name, id, slug, role } = row;
    return { person: { userId, email, name }, team: toCallTeam({ id, slug, role }), csrf };
  }

  async #isConfirmed(row: SessionRow): Promise<boolean> {
    if (!row.has_issuer && !row.is_break_glass) return true;
    return this.#confirmation.isSessionValid(row.user_id, {
      createdAt: row.created_at.getTime(),
      isBreakGlass: row.is_break_glass,
    });
  }

  async end(ctx: Context): Promise<void> {
    await this.#remove(ctx);
    removeHostCookie(ctx, this.#publicUrl, SESSION_COOKIE);
  }

  /** Removes logins that have ended; a page that is never opened again removes none. */
  async removeExpired(): Promise<void> {
    const oldest = new Date(this.#clock.now() - SESSION_IDLE_MS);
    await this.#database.sql`delete from browser_sessions where used_at <= ${oldest}`;
  }

  async #remove(ctx: Context): Promise<void> {
    const secret = readHostCookie(ctx, this.#publicUrl, SESSION_COOKIE);
    if (secret === null) return;
    await this.#database.sql`delete from browser_sessions where token_hash = ${sha256(secret)}`;
  }

  #setCookie(ctx: Context, secret: string): void {
    setHostCookie(ctx, this.#publicUrl, {
      name: SESSION_COOKIE,
      value: secret,
      maxAge: SESSION_IDLE_MS / 1000,
    });
  }
}
