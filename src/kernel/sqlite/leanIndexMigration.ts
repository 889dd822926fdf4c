/**
 * A job that is woken and parks again rewrites every index that has one of the columns that change.
 * What no list is read by is not indexed any more.
 */
export const LEAN_INDEX_MIGRATION = `
  -- lists are read from job_list
  DROP INDEX actors_label;
  DROP INDEX actors_kind;
  DROP INDEX actors_activity;
  -- what retention looks for: written once, when an actor ends
  CREATE INDEX actors_ended ON actors (since, id) WHERE activity = 'ended';
  -- an effect's id begins with its actor's
  DROP INDEX outbox_actor;
  -- without the columns of a job's state
  DROP INDEX job_list_created;
  CREATE INDEX job_list_created ON job_list (created_at, parent, repo, workflow, kind, job_id);
  -- asks are found by the state that has them; the failures of sub-runs that no one has dismissed are few
  DROP INDEX job_list_ask;
  CREATE INDEX job_list_failed_parts ON job_list (ask)
    WHERE parent IS NOT NULL AND dismissed_at IS NULL AND ask IN ('failed', 'escalated');
  `;
