import type { Database } from '../src/kernel/sqlite/database.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Between two calls of a job, so that each is in an hour of its own, ms. */
const APART_MS = 3_700_000;

/** Fills the ledger with calls of the last 30 days; its triggers add them up. */
export function writeCalls(
  db: Database,
  { calls, ofJob, now }: { calls: number; ofJob: number; now: number },
): void {
  const apart = Math.floor((DAYS * DAY_MS) / (calls / ofJob));
  db.transaction(() =>
    db.run(
      `INSERT INTO usage_calls
       WITH RECURSIVE k (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n + 1 < ?1)
       SELECT 'past-' || (n / ?2), 1, 1, n % ?2 + 1, 'past-' || (n / ?2 / 3 * 3), 'phase-' || (n % 4),
         'workflows/' || (n / ?2 % 5) || '.md', 'repository-' || (n / ?2 % 10), 'builtin', 'model-' || (n % 4),
         ?3 - (n / ?2) * ?4 - (n % ?2) * ?5, 1000, 1000 + n % 991, 100, 50, 5, 0, 3, 1500 + n % 10007, 1, 'reported'
       FROM k`,
      calls,
      ofJob,
      now,
      apart,
      APART_MS,
    ),
  );
}
