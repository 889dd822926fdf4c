import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { DecisionRecord } from '../../contract/schema/policy/decisionRecord.ts';

/** Newest records shown for a job. */
export const MAX_DECISION_RECORDS = 200;

export const toDecisionRecord = (row: Tables['decisions']): DecisionRecord => ({
  key: row.key,
  site: row.site,
  at: toIsoTime(row.at),
  phase: row.phase,
  visit: row.visit,
  mode: row.mode,
  provider: row.provider,
  model: row.model,
  rating:
    row.goal === null || row.seriousness === null || row.stuck === null
      ? null
      : {
          goal: row.goal,
          unmet: row.unmet,
          unmetConfidence: row.unmet_confidence,
          seriousness: row.seriousness,
          stuck: row.stuck,
        },
  skipped: row.skipped,
  flag: row.flag,
  paused: row.pauses === 1,
  ms: row.ms,
  digest: row.digest_sha,
});

/** Oldest first. */
export const listDecisionRecords = (rows: RowReader, jobId: string): DecisionRecord[] =>
  rows
    .all('decisions', { job_id: jobId }, { order: 'at', desc: true, limit: MAX_DECISION_RECORDS })
    .map(toDecisionRecord)
    .reverse();
