import type { Migration } from './migration.ts';

/** What people did, in a chain of hashes for each team. It outlives the team, for as long as entries are kept. */
export const auditMigration: Migration = {
  name: 'audit',
  async run(sql) {
    await sql.unsafe(`
      create table audit_heads (
        team_id text primary key,
        n bigint not null,
        hash text not null
      );
      create table audit (
        team_id text not null,
        n bigint not null,
        at timestamptz not null,
        user_id text,
        person text,
        address text,
        action text not null,
        target jsonb not null,
        failed text,
        refers_to bigint,
        previous text not null,
        hash text not null,
        primary key (team_id, n)
      );
      create index audit_at on audit (at);
      create index audit_action on audit (team_id, action, n);
    `);
  },
};
