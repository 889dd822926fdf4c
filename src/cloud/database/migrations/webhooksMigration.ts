import type { Migration } from './migration.ts';

const TABLES = `
-- the senders whose webhooks a team takes
create table webhooks (
  team_id text not null references teams on delete cascade,
  plugin_id text not null,
  -- of an installed plugin, as an admin has accepted it; null = svc knows how the sender signs
  manifest jsonb,
  -- sealed
  secret bytea not null,
  -- the one before, while it is valid too
  previous_secret bytea,
  previous_until timestamptz,
  created_by text references users on delete set null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (team_id, plugin_id)
);

create table webhook_deliveries (
  n bigint generated always as identity primary key,
  team_id text not null references teams on delete cascade,
  plugin_id text not null,
  -- what the sender calls it; null = it gives no ids
  delivery_id text,
  -- SHA-256 of the body
  hash text not null,
  -- whether another one with the same bytes is a copy
  is_known_by_hash bool not null,
  -- sealed: some senders put their secret into a header
  headers bytea not null,
  body bytea not null,
  received_at timestamptz not null
);
alter table webhook_deliveries alter column body set storage external;
create unique index webhook_deliveries_id on webhook_deliveries (team_id, plugin_id, delivery_id);
create unique index webhook_deliveries_hash on webhook_deliveries (team_id, plugin_id, hash) where is_known_by_hash;
create index webhook_deliveries_newest on webhook_deliveries (team_id, plugin_id, received_at);
create index webhook_deliveries_age on webhook_deliveries (received_at);

-- what a runner has not acknowledged yet
create table webhook_sends (
  runner_id text not null references runners on delete cascade,
  n bigint not null references webhook_deliveries on delete cascade,
  -- the rule whose claim another runner has given back; '' = the delivery itself
  rule text not null default '',
  -- null = the runner refuses it, and it is kept to be shown
  next_at timestamptz,
  attempts int not null default 0,
  problem text,
  primary key (runner_id, n, rule)
);
create index webhook_sends_due on webhook_sends (next_at) where next_at is not null;
create index webhook_sends_delivery on webhook_sends (n);

-- which runner's rule may create the job of a delivery
create table webhook_claims (
  team_id text not null references teams on delete cascade,
  rule text not null,
  -- SHA-256 of the delivery's body
  hash text not null,
  plugin_id text not null,
  -- what the job is about, where the rule makes one job at a time about it
  subject text,
  -- null = no runner has it
  runner_id text references runners on delete set null,
  -- held: a runner has it. made: it has created the job. open: it was given back. expired: no runner took it.
  state text not null check (state in ('held', 'made', 'open', 'expired')),
  job_id text,
  -- why it was given back last
  reason text,
  -- IDs of runners that have asked for it
  asked jsonb not null default '[]',
  changed_at timestamptz not null,
  primary key (team_id, rule, hash)
);
create index webhook_claims_subject on webhook_claims (team_id, rule, subject);
create index webhook_claims_open on webhook_claims (state, changed_at) where state in ('held', 'open');
`;

/** Webhooks that the control plane takes for the runners of a team. */
export const webhooksMigration: Migration = {
  name: 'webhooks',
  async run(sql) {
    await sql.unsafe(TABLES);
  },
};
