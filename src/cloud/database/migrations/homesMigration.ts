import type { Migration } from './migration.ts';

/**
 * Bodies are compressed by their sender, so PostgreSQL does not try it again (`storage external`). What is large
 * is in parts of at most a few MiB, so that no value is held as a whole.
 */
const TABLES = `
create sequence home_logs;

create table homes (
  runner_id text primary key references runners on delete cascade,
  team_id text not null references teams on delete cascade,
  home_id text not null,
  -- which entries are its own: a log that begins again has another one
  log_id bigint not null default nextval('home_logs'),
  generation bigint not null,
  -- the process that made the newest claim
  claimed_by text,
  -- by the clock of PostgreSQL
  claimed_at timestamptz,
  head bigint not null,
  hash text not null,
  state text not null check (state in ('seeding', 'open', 'released', 'adopted')),
  -- null = as the kind of the runner has it
  policy text check (policy in ('auto', 'parked', 'never')),
  takeover_ms int not null,
  store_version int not null,
  -- entries up to this one are not kept
  entries_after bigint not null,
  after_hash text not null,
  checkpoint_n bigint,
  committed_at timestamptz,
  -- what the runner had that this log does not have: no other runner may continue it
  ahead jsonb,
  -- a person lets another runner continue this generation, whatever the policy
  asked_generation bigint,
  created_at timestamptz not null
  -- half of each page stays free: every commit updates its row without touching an index
) with (fillfactor = 50);
create index homes_team on homes (team_id);

create table commits (
  log_id bigint not null,
  n bigint not null,
  generation bigint not null,
  hash text not null,
  size int not null,
  -- null = in parts
  body bytea,
  at timestamptz not null,
  primary key (log_id, n)
);
alter table commits alter column body set storage external;

create table commit_parts (
  log_id bigint not null,
  n bigint not null,
  part int not null,
  body bytea not null,
  primary key (log_id, n, part)
);
alter table commit_parts alter column body set storage external;

create table checkpoints (
  log_id bigint not null,
  n bigint not null,
  hash text not null,
  bytes bigint not null,
  sha256 text not null,
  store_version int not null,
  parts int not null,
  completed_at timestamptz not null,
  primary key (log_id, n)
);

create table checkpoint_parts (
  log_id bigint not null,
  n bigint not null,
  part int not null,
  sha256 text not null,
  body bytea not null,
  uploaded_at timestamptz not null,
  primary key (log_id, n, part)
);
alter table checkpoint_parts alter column body set storage external;

create table blobs (
  runner_id text not null references runners on delete cascade,
  sha256 text not null,
  bytes int not null,
  uploaded_at timestamptz not null,
  primary key (runner_id, sha256)
);

create table blob_parts (
  runner_id text not null,
  sha256 text not null,
  part int not null,
  body bytea not null,
  primary key (runner_id, sha256, part),
  foreign key (runner_id, sha256) references blobs on delete cascade
);
alter table blob_parts alter column body set storage external;

-- logs that no home has any more: their rows are deleted in small steps
create table old_logs (log_id bigint primary key);
create function keep_old_log() returns trigger language plpgsql as $$
begin
  insert into old_logs values (old.log_id) on conflict do nothing;
  return null;
end $$;
create trigger homes_deleted after delete on homes for each row execute function keep_old_log();

create table adoptions (
  token_hash text primary key,
  -- the lost runner, and the one that continues its home
  runner_id text not null references runners on delete cascade,
  adopter_id text not null references runners on delete cascade,
  -- offered: sent. accepted: its process is preparing. running: it has claimed the home. refused: not by this one.
  state text not null check (state in ('offered', 'accepted', 'running', 'refused')),
  reason text,
  -- by the clock of PostgreSQL, as all times by which runners are judged
  changed_at timestamptz not null default clock_timestamp()
);
create unique index adoptions_running on adoptions (runner_id) where state = 'running';
create unique index adoptions_offered on adoptions (runner_id) where state in ('offered', 'accepted');
create index adoptions_adopter on adoptions (adopter_id);

-- By the clock of PostgreSQL: which runner may act is not left to the clocks of two nodes.
alter table runner_sessions add column heard_at timestamptz not null default clock_timestamp();
alter table nodes add column lease_end timestamptz not null default clock_timestamp();
`;

/** The logs of homes, and who continues whose. */
export const homesMigration: Migration = {
  name: 'logs of homes',
  async run(sql) {
    await sql.unsafe(TABLES);
  },
};
