import { selectOrigin } from '../selectOrigin.ts';
import { auditMigration } from './auditMigration.ts';
import { companyIssuerMigration } from './companyIssuerMigration.ts';
import { dispatchMigration } from './dispatchMigration.ts';
import { homesMigration } from './homesMigration.ts';
import { jobStatesMigration } from './jobStatesMigration.ts';
import type { Migration } from './migration.ts';
import { overlayMigration } from './overlayMigration.ts';
import { teamsMigration } from './teamsMigration.ts';
import { webhooksMigration } from './webhooksMigration.ts';

/** When a runner's token was made, and up to where its list of jobs is stored. */
const runnerPlacesMigration: Migration = {
  name: 'runner places',
  async run(sql) {
    await sql.unsafe(`
      alter table runners add column token_at timestamptz not null;
      alter table runners add column jobs_place jsonb;
    `);
  },
};

/** Links with which a person chooses a new password; and the public address, for links that a command prints. */
const passwordLinksMigration: Migration = {
  name: 'password links',
  async run(sql) {
    await sql.unsafe(`
      create table password_links (
        token_hash text primary key,
        user_id text not null references users on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz
      );
      create index password_links_user on password_links (user_id);
      alter table cluster add column public_url text;
    `);
  },
};

/** Artefacts and archives that come in parts: they count once all parts have come. */
const blobPartsMigration: Migration = {
  name: 'artefacts in parts',
  async run(sql) {
    await sql.unsafe(`
      alter table blobs add column is_whole boolean not null default true;
      create index blobs_unfinished on blobs (uploaded_at) where not is_whole;
    `);
  },
};

/** Which keys each node opens secrets with, so that a key is not given up before all nodes have the next one. */
const nodeKeysMigration: Migration = {
  name: 'node keys',
  async run(sql) {
    await sql.unsafe(`
      -- names of keys, which say nothing of the keys; null = a node of an earlier version
      alter table nodes add column keys jsonb;
    `);
  },
};

/** A copy of the state that replaces the one at the same entry. */
const replacedCheckpointsMigration: Migration = {
  name: 'replaced checkpoints',
  async run(sql) {
    await sql.unsafe(`
      -- number of the first of its rows in checkpoint_parts: those of a copy that replaces another follow the others
      alter table checkpoints add column first_part int not null default 0;
    `);
  },
};

/** By which the rows are found that are no longer kept. */
const retentionMigration: Migration = {
  name: 'retention',
  async run(sql) {
    await sql.unsafe(`
      create index jobs_ended on jobs (updated_at) where state in ('complete', 'partial', 'failed', 'cancelled');
      create index dispatches_ended on dispatches (ended_at) where ended_at is not null;
    `);
  },
};

/** Which database the rows were written in: restored from a dump they are in another one. */
const databaseOriginMigration: Migration = {
  name: 'origin of the database',
  async run(sql) {
    await sql.unsafe(`
      create table database_origin (
        is_only boolean primary key default true check (is_only),
        origin text not null
      )`);
    await sql`insert into database_origin (origin) ${selectOrigin(sql)}`;
  },
};

/** Pull requests that apply proposals for the overlay of a team. */
const overlayPullsMigration: Migration = {
  name: 'pull requests for overlays',
  async run(sql) {
    await sql.unsafe(`
      alter table proposals drop constraint proposals_state_check;
      alter table proposals add constraint proposals_state_check check
        (state in ('open', 'approved', 'applying', 'conflicted', 'applied', 'rejected', 'superseded'));
      alter table proposals
        -- { forge, repository, branch, folder, userId, person }: where the pull request is wanted, and for whom
        add column pull jsonb,
        -- how many pull requests were wanted for it
        add column pull_attempts int not null default 0,
        -- the runner that opens and follows it
        add column pull_runner_id text references runners on delete set null,
        -- runners that cannot open it
        add column pull_refused_by jsonb not null default '[]',
        add column pull_number int,
        add column link text;
      create index proposals_applying on proposals (team_id) where state = 'applying';
    `);
  },
};

/** Proposals that a member has made. */
const memberProposalsMigration: Migration = {
  name: 'proposals of members',
  async run(sql) {
    await sql.unsafe(`
      -- null = an agent proposes it, or the person is gone
      alter table proposals add column created_by text references users on delete set null;
      create index proposals_of_member on proposals (team_id, created_by, state) where created_by is not null;
    `);
  },
};

/** When a sender last checked the address of its webhook. */
const challengesMigration: Migration = {
  name: 'challenges of senders',
  async run(sql) {
    await sql.unsafe(`
      -- null = it never did; what it sent is not stored
      alter table webhooks add column challenged_at timestamptz;
    `);
  },
};

/** Rows of the list that come with the entry that changed them, in the statement of the commit. */
const entryRowsMigration: Migration = {
  name: 'rows of entries',
  async run(sql) {
    await sql.unsafe(`
      alter table jobs
        -- the entry of the home's log that the row was read at; null = it is not known
        add column log_id bigint,
        add column entry bigint,
        -- it came with its entry: the list gives it a number when the runner sends it again
        add column is_unnumbered boolean not null default false;
      alter table homes
        -- the newest entry that was stored by a node which takes rows
        add column listed_n bigint,
        -- when an entry last came without its rows
        add column unlisted_at timestamptz;
    `);
  },
};

/** In order: the first one makes version 1. */
export const MIGRATIONS: readonly Migration[] = [
  teamsMigration,
  runnerPlacesMigration,
  dispatchMigration,
  homesMigration,
  jobStatesMigration,
  passwordLinksMigration,
  overlayMigration,
  webhooksMigration,
  auditMigration,
  companyIssuerMigration,
  blobPartsMigration,
  nodeKeysMigration,
  replacedCheckpointsMigration,
  retentionMigration,
  databaseOriginMigration,
  overlayPullsMigration,
  memberProposalsMigration,
  challengesMigration,
  entryRowsMigration,
];
