/** JSON of an actor; null where it is not valid: SQLite would fail, and with it the whole migration. */
const snapshot = `CASE WHEN json_valid(a.snapshot) THEN a.snapshot END`;

/**
 * Jobs that wait for a review or the merge of an open pull request need a person: as `isAwaitingReview` of
 * the chart has it for every job that parks from now on.
 */
export const REVIEW_MIGRATION = `
  UPDATE job_list SET ask = 'review'
  WHERE state = 'waiting' AND ask IS NULL AND job_id IN (
    SELECT a.id FROM actors a
    WHERE a.chart = 'job' AND a.activity = 'parked'
      AND ${snapshot} ->> '$.context.parked.kind' = 'event'
      AND json_type(${snapshot}, '$.context.awaited') = 'object'
      AND ${snapshot} ->> '$.context.awaited.external' IS NULL
      AND (
        ${snapshot} ->> '$.context.awaited.kinds' IS NULL
        OR EXISTS (
          SELECT 1 FROM json_each(${snapshot}, '$.context.awaited.kinds') k
          WHERE k.value IN ('approved', 'changes_requested', 'commented', 'review_thread', 'merged', 'closed', 'reopened')
        )
      )
      AND EXISTS (
        SELECT 1 FROM json_each(${snapshot}, '$.context.prs') p
        WHERE p.value ->> '$.state' = 'open' AND coalesce(p.value ->> '$.blocked.asks', 0) <> 1
      )
  );
  `;
