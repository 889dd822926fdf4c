import type { Migration } from './migration.ts';

/** Tokens, codes, links and sessions are stored as SHA-256, lower-case hex. Times come from the program's clock. */
const TABLES = `
create table teams (
  id text primary key,
  slug text not null unique,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null
);

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password text,
  created_at timestamptz not null
);

create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

create table members (
  team_id text not null references teams on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  created_at timestamptz not null,
  primary key (team_id, user_id)
);
create index members_user on members (user_id);

create table invitations (
  token_hash text primary key,
  id text not null unique,
  team_id text not null references teams on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  invited_by text not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_by text references users on delete set null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create index invitations_team on invitations (team_id);

create table owner_links (
  token_hash text primary key,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table browser_sessions (
  token_hash text primary key,
  user_id text not null references users on delete cascade,
  csrf_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz not null
);
create index browser_sessions_user on browser_sessions (user_id);

create table oauth_records (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index oauth_records_grant on oauth_records (grant_id);
create index oauth_records_user_code on oauth_records (user_code);
create index oauth_records_uid on oauth_records (uid);
create index oauth_records_expiry on oauth_records (expires_at);

create table signing_keys (
  kid text primary key,
  public jsonb not null,
  private jsonb not null,
  state text not null check (state in ('next', 'current', 'retired')),
  created_at timestamptz not null
);

create table pairing_codes (
  code_hash text primary key,
  team_id text not null references teams on delete cascade,
  created_by text not null references users on delete cascade,
  owner_id text references users on delete cascade,
  labels text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index pairing_codes_team on pairing_codes (team_id);

create table runners (
  id text primary key,
  team_id text not null references teams on delete cascade,
  -- Null is a pool runner: a person's runner must not become one when the person goes.
  owner_id text references users on delete cascade,
  home_id text not null,
  name text not null,
  labels text[] not null default '{}',
  accept text not null check (accept in ('own', 'team', 'none')),
  token_hash text not null unique,
  previous_hash text,
  program_version text,
  protocol int,
  store_version int,
  hello jsonb,
  created_at timestamptz not null,
  seen_at timestamptz,
  revoked_at timestamptz,
  unique (team_id, home_id)
);
create index runners_previous on runners (previous_hash) where previous_hash is not null;

create table nodes (
  id text primary key,
  address text not null,
  version text not null,
  lease_until timestamptz not null,
  started_at timestamptz not null
);

create table runner_sessions (
  runner_id text primary key references runners on delete cascade,
  team_id text not null references teams on delete cascade,
  node_id text not null,
  session_id text not null,
  connected_at timestamptz not null,
  beat jsonb,
  beat_at timestamptz,
  lost_at timestamptz
);
create index runner_sessions_team on runner_sessions (team_id);
create index runner_sessions_node on runner_sessions (node_id);

create table jobs (
  team_id text not null references teams on delete cascade,
  runner_id text not null references runners on delete cascade,
  job_id text not null,
  change bigint not null,
  summary jsonb not null,
  status text not null,
  type text not null,
  title text not null,
  repo text,
  parent_job_id text,
  campaign_parent_id text,
  needs_person bool not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, runner_id, job_id)
);
create index jobs_newest on jobs (team_id, created_at desc);
create index jobs_change on jobs (team_id, change);

create table dispatches (
  id text primary key,
  team_id text not null references teams on delete cascade,
  created_by text not null references users on delete cascade,
  request_key text,
  body jsonb not null,
  labels text[] not null default '{}',
  wanted_runner text,
  state text not null check (state in ('waiting', 'sent', 'placed', 'refused', 'expired', 'cancelled')),
  reason text not null,
  runner_id text references runners on delete set null,
  job_id text,
  refusal jsonb,
  created_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  unique (team_id, request_key)
);
create index dispatches_newest on dispatches (team_id, created_at);
create index dispatches_open on dispatches (state) where state in ('waiting', 'sent');

create table cluster (
  singleton bool primary key check (singleton),
  secret text not null
);
`;

/** People, teams, runners, their jobs, and the nodes of the control plane. */
export const teamsMigration: Migration = {
  name: 'teams',
  async run(sql, { ids }) {
    await sql.unsafe(TABLES);
    await sql`insert into cluster (singleton, secret) values (true, ${ids.secret()})`;
  },
};
