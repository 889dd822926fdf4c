import type { Migration } from './migration.ts';

/** Where a company logs its people in, their roles by its groups, and what is known of each identity there. */
export const companyIssuerMigration: Migration = {
  name: 'company issuer',
  async run(sql) {
    await sql.unsafe(`
      create table company_issuer (
        singleton bool primary key check (singleton),
        issuer text not null,
        client_id text not null,
        client_secret bytea not null,
        domains jsonb not null,
        scopes jsonb not null,
        groups_claim text not null,
        trusts_email bool not null,
        created_at timestamptz not null
      );
      create table group_roles (
        group_name text not null,
        team_id text not null references teams on delete cascade,
        role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
        primary key (group_name, team_id)
      );
      alter table identities
        add column refresh_token bytea,
        add column authenticated_at timestamptz,
        add column confirmed_at timestamptz,
        add column asked_at timestamptz;
      alter table owner_links add column user_id text references users on delete cascade;
      alter table browser_sessions add column is_break_glass bool not null default false;
    `);
  },
};
