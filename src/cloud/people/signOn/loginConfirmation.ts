import type { CloudContext } from '../../server/cloudContext.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import type { Sealer } from '../../server/sealer.ts';
import { endLogins } from '../accounts/endLogins.ts';
import { noteConfirmation, toTokenPlace } from './admitPerson.ts';
import { checkRefreshedClaims } from './checkClaims.ts';
import type { CompanyIssuer } from './companyIssuer.ts';
import {
  ASK_AGAIN_MS,
  BREAK_GLASS_MS,
  BROWSER_FRESH_MS,
  judgeLogin,
  judgeUnanswered,
  type LoginFacts,
  type LoginState,
  REFRESH_FRESH_MS,
} from './confirmationRules.ts';
import type { IssuerClient } from './issuerClient.ts';
import { SignOnError, type SignOnFault } from './signOnFaults.ts';
import { describeIssuerFault } from './toSignOnError.ts';

export interface ConfirmationParts {
  cloud: Pick<CloudContext, 'database' | 'clock' | 'log'>;
  /** null = the node has no key. */
  sealer: Sealer | null;
  client: Pick<IssuerClient, 'refresh'>;
  readIssuer(): Promise<CompanyIssuer | null>;
}

/** Refusals that end the logins of a person; others may be repaired at the issuer. */
const FINAL: ReadonlySet<SignOnFault> = new Set(['denied', 'unverified', 'domain']);

interface StoredIdentity {
  id: string;
  name: string;
  subject: string;
  refresh_token: Uint8Array;
}

/** Asks the company's issuer, now and then, whether who is logged in may still be. */
export class LoginConfirmation {
  readonly #parts: ConfirmationParts;

  constructor(parts: ConfirmationParts) {
    this.#parts = parts;
  }

  /** Whether a login of a browser counts, if people log in at an issuer. */
  async isSessionValid(
    userId: string,
    { createdAt, isBreakGlass }: { createdAt: number; isBreakGlass: boolean },
  ): Promise<boolean> {
    // It is for the time when the issuer does not work.
    if (isBreakGlass) return this.#parts.cloud.clock.now() - createdAt < BREAK_GLASS_MS;
    return (await this.#confirm(userId, createdAt, BROWSER_FRESH_MS)) === 'valid';
  }

  /** Whether a login of a command line may be renewed. */
  confirmRefresh(userId: string, loggedInAt: number): Promise<LoginState> {
    return this.#confirm(userId, loggedInAt, REFRESH_FRESH_MS);
  }

  async #confirm(userId: string, loggedInAt: number, freshMs: number): Promise<LoginState> {
    const { clock } = this.#parts.cloud;
    const facts = await this.#readFacts(userId, loggedInAt);
    if (facts === null) return 'valid';
    const state = judgeLogin(facts, { now: clock.now(), freshMs });
    if (state !== 'ask') return state;
    const answer = await this.#ask(userId);
    if (answer !== 'unanswered') return answer;
    return judgeUnanswered(facts.identity?.confirmedAt ?? 0, clock.now());
  }

  /** null = people log in here. */
  async #readFacts(userId: string, loggedInAt: number): Promise<LoginFacts | null> {
    const [row] = await this.#parts.cloud.database.sql`
      select c.created_at, i.subject, i.authenticated_at, i.confirmed_at, i.asked_at,
        i.refresh_token is not null as has_refresh_token
      from company_issuer c left join identities i on i.issuer = c.issuer and i.user_id = ${userId}`;
    if (row === undefined) return null;
    const identity = {
      authenticatedAt: row.authenticated_at?.getTime() ?? 0,
      confirmedAt: row.confirmed_at?.getTime() ?? 0,
      askedAt: row.asked_at?.getTime() ?? 0,
      hasRefreshToken: row.has_refresh_token,
    };
    return {
      issuerSince: row.created_at.getTime(),
      loggedInAt,
      identity: row.subject === null ? null : identity,
    };
  }

  /** Of several requests at once, on any node, one asks; the others take what is known. */
  async #ask(userId: string): Promise<'valid' | 'ended' | 'unanswered'> {
    const { cloud, readIssuer } = this.#parts;
    const issuer = await readIssuer();
    if (issuer === null) return 'valid';
    const identity = await this.#claimQuestion(issuer, userId);
    if (identity === undefined) return 'unanswered';
    try {
      await this.#refresh(issuer, identity);
      return 'valid';
    } catch (error) {
      if (!(error instanceof SignOnError)) throw error;
      const { fault, cause } = error;
      if (FINAL.has(fault)) {
        await this.#endLogins(issuer, identity);
        return 'ended';
      }
      cloud.log.warn(
        { reason: describeIssuerFault(cause), fault, user: userId },
        "the company's issuer did not confirm that a person may still log in",
      );
      return 'unanswered';
    }
  }

  async #claimQuestion(
    { issuer }: CompanyIssuer,
    userId: string,
  ): Promise<StoredIdentity | undefined> {
    const { database, clock } = this.#parts.cloud;
    const now = clock.now();
    const [identity] = await database.sql<StoredIdentity[]>`
      update identities i set asked_at = ${new Date(now)} from users u
      where i.issuer = ${issuer} and i.user_id = ${userId} and u.id = i.user_id
        and i.refresh_token is not null
        and (i.asked_at is null or i.asked_at <= ${new Date(now - ASK_AGAIN_MS)})
      returning u.id, u.name, i.subject, i.refresh_token`;
    return identity;
  }

  /** Throws {@link SignOnError}. */
  async #refresh(issuer: CompanyIssuer, identity: StoredIdentity): Promise<void> {
    const { cloud, sealer, client } = this.#parts;
    const { subject, refresh_token } = identity;
    const token = sealer?.open(refresh_token, toTokenPlace(issuer.issuer, subject)) ?? null;
    if (sealer === null || token === null) throw new SignOnError('no-key');
    const { claims, refreshToken } = await client.refresh(issuer, subject, token);
    const groups = checkRefreshedClaims(claims, issuer);
    if (typeof groups === 'string') {
      // The old token may have been replaced: without the new one the issuer could not be asked again.
      await this.#keepToken(issuer, subject, refreshToken, sealer);
      throw new SignOnError(groups);
    }
    const confirmation = { subject, groups, refreshToken, isLogin: false };
    await cloud.database.transaction((sql) =>
      noteConfirmation(sql, issuer, identity, confirmation, {
        sealer,
        now: cloud.clock.now(),
        address: null,
      }),
    );
  }

  async #keepToken(
    { issuer }: CompanyIssuer,
    subject: string,
    token: string | null,
    sealer: Sealer,
  ): Promise<void> {
    if (token === null) return;
    await this.#parts.cloud.database.sql`
      update identities set refresh_token = ${sealer.seal(token, toTokenPlace(issuer, subject))}
      where issuer = ${issuer} and subject = ${subject}`;
  }

  async #endLogins({ issuer }: CompanyIssuer, user: StoredIdentity): Promise<void> {
    const { cloud } = this.#parts;
    await cloud.database.transaction(async (sql) => {
      await sql`
        update identities set refresh_token = null
        where issuer = ${issuer} and subject = ${user.subject}`;
      await endLogins(sql, user.id);
    });
    await auditForTeams(cloud, user, {
      action: 'endLogins',
      address: null,
      target: { userId: user.id, by: 'issuer' },
      failed: null,
    });
  }
}
