import type { Migration } from './migration.ts';

const CHANGES = `
-- the number of the last change of the list of jobs
alter table teams add column last_job_change bigint not null default 0;

-- what q looks in, without case and accents
alter table jobs add column search text not null default '';
create index jobs_by_id on jobs (team_id, job_id);
create index jobs_by_parent on jobs (team_id, parent_job_id) where parent_job_id is not null;
create index jobs_needing on jobs (team_id, updated_at) where needs_person;

alter table dispatches
  -- the home that it was sent to: a repeat goes to no other one
  add column home_id text,
  add column reason_since timestamptz not null,
  -- runners that have answered that they do not make the job
  add column refusals jsonb not null default '[]',
  -- what the runner answered that made it
  add column reply jsonb,
  -- when the request of a sent one is made next
  add column next_at timestamptz,
  add column attempts integer not null default 0;
create index dispatches_of_runner on dispatches (runner_id, state);
`;

/** What the list of jobs and dispatching need beside the first tables. */
export const dispatchMigration: Migration = {
  name: 'dispatches and the list of jobs',
  async run(sql) {
    await sql.unsafe(CHANGES);
  },
};
