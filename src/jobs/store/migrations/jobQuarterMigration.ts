import { LAST_TIME } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import { MAX_STORED_SUM } from './boundedSumsMigration.ts';

/** Length of the counted periods, ms: every time zone begins its days with one. */
export const QUARTER_MS = 900_000;

const ENDED = "('complete', 'partial', 'failed', 'cancelled')";
const isTimeSql = (column: string): string => `${column} BETWEEN 0 AND ${LAST_TIME}`;

/** Rows that count for a job of the list; `row` is its name in SQL, with a dot. */
function buildJobCounts(row: string): string {
  const isCounted = `${row}state IN ${ENDED} AND ${isTimeSql(`${row}since`)} AND ${isTimeSql(`${row}created_at`)}`;
  const quarter = `${row}since / ${QUARTER_MS}`;
  return `
    SELECT ${row}created_at / ${QUARTER_MS} AS quarter, 'created' AS kind, '' AS workflow, 1 AS n, 0 AS more WHERE ${isTimeSql(`${row}created_at`)}
    UNION ALL SELECT ${quarter}, ${row}state, ${row}workflow, 1, max(0, ${row}since - ${row}created_at) WHERE ${isCounted}
    UNION ALL SELECT ${quarter}, 'failed-sub-run', '', 1, 0 WHERE ${isCounted} AND ${row}state = 'failed' AND ${row}parent IS NOT NULL
    UNION ALL SELECT ${quarter}, 'escalated', '', 1, 0 WHERE ${isCounted} AND ${row}state = 'failed' AND ${row}ask = 'escalated'`;
}

const AT_VISIT = `v.started_at / ${QUARTER_MS} AS quarter`;
const VISIT = (job: string, visit: string): string =>
  `phase_visits v CROSS JOIN job_list l ON l.job_id = v.job_id
      WHERE v.job_id = ${job} AND v.visit = ${visit} AND ${isTimeSql('v.started_at')}`;
const ARE_TOKENS = (row: string): string =>
  `${row}input_tokens BETWEEN 0 AND ${MAX_STORED_SUM} AND ${row}output_tokens BETWEEN 0 AND ${MAX_STORED_SUM}`;

/** Tokens of a session count where its visit began. */
const buildTokenCounts = (row: string): string => `
    SELECT ${AT_VISIT}, 'tokens' AS kind, l.workflow, ${row}input_tokens AS n, ${row}output_tokens AS more
    FROM ${VISIT(`${row}job_id`, `${row}visit`)} AND ${ARE_TOKENS(row)}`;

/** A session without a report of tokens, which the ledger has a row of. */
const buildSilentCounts = (row: string): string => `
    SELECT ${AT_VISIT}, 'unreported' AS kind, l.workflow, 1 AS n, 0 AS more
    FROM ${VISIT(`${row}subject`, `${row}visit`)} AND ${row}source = 'none'`;

/** What a job has used, all of it, of the workflow that \`workflow\` names. */
const buildUsedCounts = (job: string, workflow: string): string => `
    SELECT quarter, kind, ${workflow} AS workflow, sum(n) AS n, sum(more) AS more FROM (
      SELECT ${AT_VISIT}, 'tokens' AS kind, t.input_tokens AS n, t.output_tokens AS more
      FROM token_usage t CROSS JOIN phase_visits v ON v.job_id = t.job_id AND v.visit = t.visit
      WHERE t.job_id = ${job} AND ${isTimeSql('v.started_at')} AND ${ARE_TOKENS('t.')}
      UNION ALL
      SELECT ${AT_VISIT}, 'unreported', 1, 0
      FROM usage_calls c CROSS JOIN phase_visits v ON v.job_id = c.subject AND v.visit = c.visit
      WHERE c.subject = ${job} AND c.source = 'none' AND ${isTimeSql('v.started_at')}
    ) GROUP BY quarter, kind`;

const buildAdd = (counts: string): string => `
    INSERT INTO job_quarters (quarter, kind, workflow, n, more) SELECT quarter, kind, workflow, n, more FROM (${counts}) WHERE true
    ON CONFLICT (quarter, kind, workflow) DO UPDATE SET
      n = min(${MAX_STORED_SUM}, job_quarters.n + excluded.n), more = min(${MAX_STORED_SUM}, job_quarters.more + excluded.more);`;

const buildRemove = (counts: string): string => `
    UPDATE job_quarters SET n = max(0, job_quarters.n - c.n), more = max(0, job_quarters.more - c.more)
    FROM (${counts}) c WHERE job_quarters.quarter = c.quarter AND job_quarters.kind = c.kind AND job_quarters.workflow = c.workflow;`;

const buildUsageTriggers = (
  table: string,
  when: string,
  counts: (row: string) => string,
): string => `
  CREATE TRIGGER job_quarters_${table}_insert AFTER INSERT ON ${table} ${when.replaceAll('#', 'NEW')} BEGIN ${buildAdd(counts('NEW.'))} END;
  CREATE TRIGGER job_quarters_${table}_changes BEFORE UPDATE ON ${table} ${when.replaceAll('#', 'OLD')} BEGIN ${buildRemove(counts('OLD.'))} END;
  CREATE TRIGGER job_quarters_${table}_changed AFTER UPDATE ON ${table} ${when.replaceAll('#', 'NEW')} BEGIN ${buildAdd(counts('NEW.'))} END;
  CREATE TRIGGER job_quarters_${table}_delete BEFORE DELETE ON ${table} ${when.replaceAll('#', 'OLD')} BEGIN ${buildRemove(counts('OLD.'))} END;`;

/** Counts everything again. */
export const REBUILD_JOB_QUARTERS = `DELETE FROM job_quarters;
  INSERT INTO job_quarters (quarter, kind, workflow, n, more)
    SELECT quarter, kind, workflow, min(${MAX_STORED_SUM}, CAST(total(n) AS INTEGER)), min(${MAX_STORED_SUM}, CAST(total(more) AS INTEGER)) FROM (
      SELECT created_at / ${QUARTER_MS} AS quarter, 'created' AS kind, '' AS workflow, 1 AS n, 0 AS more
      FROM job_list WHERE ${isTimeSql('created_at')}
      UNION ALL SELECT since / ${QUARTER_MS}, state, workflow, 1, max(0, since - created_at)
      FROM job_list WHERE state IN ${ENDED} AND ${isTimeSql('since')} AND ${isTimeSql('created_at')}
      UNION ALL SELECT since / ${QUARTER_MS}, 'failed-sub-run', '', 1, 0
      FROM job_list WHERE state = 'failed' AND parent IS NOT NULL AND ${isTimeSql('since')} AND ${isTimeSql('created_at')}
      UNION ALL SELECT since / ${QUARTER_MS}, 'escalated', '', 1, 0
      FROM job_list WHERE state = 'failed' AND ask = 'escalated' AND ${isTimeSql('since')} AND ${isTimeSql('created_at')}
      UNION ALL SELECT ${AT_VISIT}, 'tokens', l.workflow, t.input_tokens, t.output_tokens
      FROM token_usage t CROSS JOIN phase_visits v ON v.job_id = t.job_id AND v.visit = t.visit
        CROSS JOIN job_list l ON l.job_id = t.job_id
      WHERE ${isTimeSql('v.started_at')} AND ${ARE_TOKENS('t.')}
      UNION ALL SELECT ${AT_VISIT}, 'unreported', l.workflow, 1, 0
      FROM usage_calls c CROSS JOIN phase_visits v ON v.job_id = c.subject AND v.visit = c.visit
        CROSS JOIN job_list l ON l.job_id = c.subject
      WHERE c.source = 'none' AND ${isTimeSql('v.started_at')}
    ) GROUP BY quarter, kind, workflow;`;

const MOVES = `OLD.state IN ${ENDED} OR NEW.state IN ${ENDED} OR OLD.workflow <> NEW.workflow OR OLD.created_at <> NEW.created_at`;

/**
 * Jobs and tokens by quarter of an hour, for the statistics: triggers keep them in the commits that end
 * a job or a session, none of which is one that wakes a job.
 */
export const JOB_QUARTER_MIGRATION = `
  CREATE TABLE job_quarters (
    quarter INTEGER NOT NULL, kind TEXT NOT NULL, workflow TEXT NOT NULL, n INTEGER NOT NULL, more INTEGER NOT NULL,
    PRIMARY KEY (quarter, kind, workflow)
  ) STRICT, WITHOUT ROWID;
  ${REBUILD_JOB_QUARTERS}
  CREATE TRIGGER job_quarters_list_insert AFTER INSERT ON job_list BEGIN ${buildAdd(buildJobCounts('NEW.'))} END;
  CREATE TRIGGER job_quarters_list_update AFTER UPDATE OF state, ask, since, workflow, parent, created_at ON job_list WHEN ${MOVES} BEGIN
    ${buildRemove(buildJobCounts('OLD.'))} ${buildAdd(buildJobCounts('NEW.'))}
  END;
  CREATE TRIGGER job_quarters_list_workflow AFTER UPDATE OF workflow ON job_list WHEN OLD.workflow <> NEW.workflow BEGIN
    ${buildRemove(buildUsedCounts('NEW.job_id', 'OLD.workflow'))} ${buildAdd(buildUsedCounts('NEW.job_id', 'NEW.workflow'))}
  END;
  CREATE TRIGGER job_quarters_list_delete BEFORE DELETE ON job_list BEGIN
    ${buildRemove(buildJobCounts('OLD.'))} ${buildRemove(buildUsedCounts('OLD.job_id', 'OLD.workflow'))}
  END;
  ${buildUsageTriggers('token_usage', '', buildTokenCounts)}
  ${buildUsageTriggers('usage_calls', "WHEN #.source = 'none'", buildSilentCounts)}
  -- sessions whose tokens no sum has
  CREATE INDEX token_usage_unreadable ON token_usage (job_id) WHERE NOT (${['input_tokens', 'output_tokens'].map((name) => `(${name} BETWEEN 0 AND ${MAX_STORED_SUM}) IS TRUE`).join(' AND ')});
  `;
