import type { Migration } from './migration.ts';

const TABLES = `
-- the number of the last change of a team's overlay or of a proposal for it
alter table teams add column last_overlay_change bigint not null default 0;

create table overlay_versions (
  team_id text not null references teams on delete cascade,
  version int not null check (version > 0),
  -- { path: { sha256, bytes } } of every file
  files jsonb not null,
  created_at timestamptz not null,
  -- null = the person is gone; the name stays
  created_by text references users on delete set null,
  author text not null,
  -- the proposal that was applied, or the older version whose files count again
  proposal_id text,
  restores int,
  primary key (team_id, version)
);

create table overlay_files (
  team_id text not null references teams on delete cascade,
  sha256 text not null,
  body bytea not null,
  primary key (team_id, sha256)
);

create table proposals (
  team_id text not null references teams on delete cascade,
  id text not null,
  -- the runner that has sent it
  runner_id text references runners on delete set null,
  -- null = a person has proposed it
  job_id text,
  phase text,
  kind text not null check (kind in ('memory', 'skill', 'agent', 'workflow')),
  description text not null,
  -- JSON of ProposedFile[], as bytes: texts may hold characters that no text of PostgreSQL can
  content bytea not null,
  hash text not null,
  checks jsonb not null,
  warnings int not null,
  state text not null check (state in ('open', 'approved', 'conflicted', 'applied', 'rejected', 'superseded')),
  problem text,
  approval jsonb,
  allowed jsonb not null default '[]',
  rejection jsonb,
  -- the version that it was applied as
  version int,
  superseded_by text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (team_id, id)
);
create index proposals_newest on proposals (team_id, created_at);
create index proposals_of_job on proposals (team_id, runner_id, job_id, state);
create index proposals_waiting on proposals (team_id, state) where state in ('open', 'approved', 'conflicted');
`;

/** The overlay of a team, and the proposals to change it. */
export const overlayMigration: Migration = {
  name: 'overlays of teams',
  async run(sql) {
    await sql.unsafe(TABLES);
  },
};
