import type { AuditEntry, AuditPage, AuditQuery } from '../../../contract/schema/cloud/audit.ts';
import type { Database } from '../../database/database.ts';

const DEFAULT_LIMIT = 100;

const toNumber = (value: unknown): number | null => (value === null ? null : Number(value));

const toEntry = (row: Record<string, unknown> & { at: Date }): AuditEntry => ({
  n: Number(row.n),
  at: row.at.toISOString(),
  userId: row.user_id as string | null,
  person: row.person as string | null,
  address: row.address as string | null,
  action: String(row.action),
  target: row.target as Record<string, string>,
  failed: row.failed as string | null,
  refersTo: toNumber(row.refers_to),
  hash: String(row.hash),
});

/** A page of a team's audit log: what follows `after`, else the newest. */
export async function readAudit(
  { sql }: Database,
  teamId: string,
  { after, before, since, person, action, limit = DEFAULT_LIMIT }: AuditQuery,
): Promise<AuditPage> {
  const order = after === undefined ? sql`desc` : sql`asc`;
  // First: an entry that is written meanwhile is then not missing.
  const [head] = await sql`select n, hash from audit_heads where team_id = ${teamId}`;
  const rows = await sql`
    select n, at, user_id, person, address, action, target, failed, refers_to, previous, hash from audit
    where team_id = ${teamId} and n > ${after ?? 0}
      ${before === undefined ? sql`` : sql`and n < ${before}`}
      ${since === undefined ? sql`` : sql`and at >= ${since}::timestamptz`}
      ${person === undefined ? sql`` : sql`and (user_id = ${person} or lower(person) = lower(${person}))`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
    order by n ${order} limit ${limit}`;
  const orderedRows = after === undefined ? rows.toReversed() : [...rows];
  return {
    entries: orderedRows.map((row) => toEntry({ ...row, at: row.at })),
    previous: String(orderedRows[0]?.previous ?? ''),
    head: { n: Number(head?.n ?? 0), hash: String(head?.hash ?? '') },
  };
}
