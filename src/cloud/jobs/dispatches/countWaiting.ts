import type { Sql } from '../../database/database.ts';

/** Reasons of {@link placeDispatches}; everything else is counted as `other`. */
const REASONS: ReadonlySet<string> = new Set([
  'no-runner',
  'no-slot',
  'no-label',
  'no-forge',
  'no-executor',
  'not-accepted',
  'runner-too-old',
  'person-limit',
]);

/** How many dispatches of all teams wait, by their reason without the detail after the colon. */
export async function countWaiting(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql`
    select split_part(reason, ':', 1) as reason, count(*) as waiting from dispatches
    where state = 'waiting' group by 1`;
  const counts = new Map<string, number>();
  for (const { reason, waiting } of rows) {
    const reasonLabel = REASONS.has(reason) ? String(reason) : 'other';
    counts.set(reasonLabel, (counts.get(reasonLabel) ?? 0) + Number(waiting));
  }
  return counts;
}
