/** The part of a status before `:`. */
const buildStatusBase = (row: string) =>
  `iif(instr(${row}status, ':') = 0, ${row}status, substr(${row}status, 1, instr(${row}status, ':') - 1))`;

const buildGroupKey = (row: string) =>
  `${row}state, coalesce(${row}ask, ''), ${row}dismissed_at IS NOT NULL, ${row}parent IS NOT NULL, ${row}kind, coalesce(${row}repo, ''), ${row}workflow, ${buildStatusBase(row)}`;

const NAMES = 'state, ask, dismissed, sub_run, kind, repo, workflow, status';

const ADD = `INSERT INTO job_groups (${NAMES}, jobs) VALUES (${buildGroupKey('NEW.')}, 1)
    ON CONFLICT (${NAMES}) DO UPDATE SET jobs = jobs + 1;`;
const REMOVE = `UPDATE job_groups SET jobs = jobs - 1 WHERE (${NAMES}) = (${buildGroupKey('OLD.')});
    DELETE FROM job_groups WHERE (${NAMES}) = (${buildGroupKey('OLD.')}) AND jobs = 0;`;

export const REBUILD_JOB_GROUPS = `DELETE FROM job_groups;
  INSERT INTO job_groups (${NAMES}, jobs) SELECT ${buildGroupKey('')}, count(*) FROM job_list GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;`;

/**
 * Keeps the job list fast with a million waiting jobs: counts of similar jobs are kept up to date
 * as rows change, and each order has an index that also orders equal values.
 */
export const JOB_GROUP_MIGRATION = `
  CREATE TABLE job_groups (
    state TEXT NOT NULL, ask TEXT NOT NULL, dismissed INTEGER NOT NULL, sub_run INTEGER NOT NULL, kind TEXT NOT NULL,
    repo TEXT NOT NULL, workflow TEXT NOT NULL, status TEXT NOT NULL, jobs INTEGER NOT NULL,
    PRIMARY KEY (${NAMES})
  ) STRICT, WITHOUT ROWID;
  INSERT INTO job_groups (${NAMES}, jobs)
    SELECT ${buildGroupKey('')}, count(*) FROM job_list GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
  CREATE TRIGGER job_groups_insert_adds AFTER INSERT ON job_list BEGIN
    ${ADD}
  END;
  CREATE TRIGGER job_groups_delete_removes AFTER DELETE ON job_list BEGIN
    ${REMOVE}
  END;
  CREATE TRIGGER job_groups_update_moves AFTER UPDATE OF state, ask, dismissed_at, parent, kind, repo, workflow, status ON job_list
    WHEN (${buildGroupKey('OLD.')}) <> (${buildGroupKey('NEW.')}) BEGIN
    ${REMOVE}
    ${ADD}
  END;
  DROP INDEX job_list_title;
  DROP INDEX job_list_repo;
  DROP INDEX job_list_workflow;
  DROP INDEX job_list_state;
  -- equal values: the newest first, and in the other direction the oldest
  CREATE INDEX job_list_title ON job_list (title, created_at DESC);
  CREATE INDEX job_list_repo ON job_list (repo, created_at DESC);
  CREATE INDEX job_list_workflow ON job_list (workflow, created_at DESC);
  CREATE INDEX job_list_status ON job_list (status, created_at DESC);
  CREATE INDEX job_list_phase ON job_list (phase, created_at DESC);
  -- since when the first job of a state is in it, without reading the others
  CREATE INDEX job_list_state ON job_list (state, ask, since);
  `;
