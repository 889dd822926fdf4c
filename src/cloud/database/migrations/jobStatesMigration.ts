import type { Migration } from './migration.ts';

/**
 * What jobs are filtered and counted by, derived from what a runner sends. `state` is the state that a job has in the list
 * of its runner; whether it needs a person is `needs_person`. Texts are cut: an index takes no long ones.
 */
const CHANGES = `
alter table jobs
  add column state text not null generated always as (case
    when summary ->> 'ended' = 'true' then case
      when jsonb_typeof(summary -> 'subRunFailures') = 'object' then 'partial'
      when status = 'complete' then 'complete'
      when status in ('failed', 'escalated') then 'failed'
      else 'cancelled' end
    when jsonb_typeof(summary -> 'parked') = 'object' then 'waiting'
    when status = 'queued' then 'queued'
    else 'working' end) stored,
  add column needs_group text generated always as (left(summary -> 'needs' ->> 'group', 32)) stored,
  add column workflow text not null generated always as (left(coalesce(summary ->> 'workflowPath', ''), 256)) stored;

-- all that the counts of a team read
create index jobs_counted on jobs (team_id, state, needs_person, needs_group, parent_job_id, status);
create index jobs_by_repo on jobs (team_id, repo) where repo is not null;
create index jobs_by_workflow on jobs (team_id, workflow);
`;

export const jobStatesMigration: Migration = {
  name: 'states of jobs',
  async run(sql) {
    await sql.unsafe(CHANGES);
  },
};
