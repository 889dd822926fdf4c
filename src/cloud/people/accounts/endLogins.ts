import type { TransactionSql } from '../../database/database.ts';

/**
 * Ends all logins of a person: those of browsers, of command lines, and what is on its way to one. Their machines stay
 * paired.
 */
export async function endLogins(sql: TransactionSql, userId: string): Promise<void> {
  await sql`delete from browser_sessions where user_id = ${userId}`;
  await sql`
    delete from oauth_records
    where payload->>'accountId' = ${userId}
      or payload->'session'->>'accountId' = ${userId}
      or payload->'result'->'login'->>'accountId' = ${userId}`;
  await sql`delete from pairing_codes where created_by = ${userId} and used_at is null`;
}
