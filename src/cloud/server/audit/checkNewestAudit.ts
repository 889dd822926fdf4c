import { verifyAudit } from '../../../base/audit/verifyAudit.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import {
  MOST_AUDIT_ENTRIES,
  MOST_CHECKED_ENTRIES,
  type TeamAuditCheck,
} from '../../../contract/schema/cloud/audit.ts';
import type { Database } from '../../database/database.ts';
import { readAudit } from './readAudit.ts';

/** Checks the newest entries of a team's audit log; `most`: how many at most. */
export async function checkNewestAudit(
  database: Database,
  teamId: string,
  most: number = MOST_CHECKED_ENTRIES,
): Promise<TeamAuditCheck> {
  const { sql } = database;
  const [newest] = await sql`select n from audit_heads where team_id = ${teamId}`;
  const leftOut = Math.max(0, Number(newest?.n ?? 0) - most);
  const [older] =
    await sql`select n from audit where team_id = ${teamId} and n <= ${leftOut} limit 1`;
  const check = await verifyAudit(
    (after) =>
      readAudit(database, teamId, { after: Math.max(after, leftOut), limit: MOST_AUDIT_ENTRIES }),
    sha256,
  );
  const isComplete = older === undefined;
  // Only the oldest entries may be missing, and here older ones exist.
  if (!isComplete && check.from !== leftOut + 1)
    return {
      ...check,
      isComplete,
      checked: 0,
      fault: { n: leftOut + 1, reason: 'missing' },
    };
  return { ...check, isComplete };
}
