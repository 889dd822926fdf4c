import { type AuditFacts, formatAuditText } from '../../../base/audit/auditText.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Database, TransactionSql } from '../../database/database.ts';

/**
 * Adds an entry to the chain of a team, and gives its number. Entries of a team are written in turn, whichever node
 * writes them: in a longer transaction, call it last.
 */
export async function addAudit(
  sql: TransactionSql,
  teamId: string,
  facts: AuditFacts,
): Promise<number> {
  await sql`insert into audit_heads (team_id, n, hash) values (${teamId}, 0, '') on conflict do nothing`;
  const [head] = await sql`select n, hash from audit_heads where team_id = ${teamId} for update`;
  const n = Number(head?.n) + 1;
  const previous = String(head?.hash);
  const hash = sha256(formatAuditText(previous, n, facts));
  const { at, userId, person, address, action, target, failed, refersTo } = facts;
  await sql`
    insert into audit (team_id, n, at, user_id, person, address, action, target, failed, refers_to, previous, hash)
    values (${teamId}, ${n}, ${at}::timestamptz, ${userId}, ${person}, ${address}, ${action},
      ${JSON.stringify(target)}::text::jsonb, ${failed}, ${refersTo}, ${previous}, ${hash})`;
  await sql`update audit_heads set n = ${n}, hash = ${hash} where team_id = ${teamId}`;
  return n;
}

/** The same in a transaction of its own. */
export const appendAudit = (
  database: Database,
  teamId: string,
  facts: AuditFacts,
): Promise<number> => database.transaction((sql) => addAudit(sql, teamId, facts));
