import type { Migration } from './migration.ts';

/** Links with which a person chooses a new password; and the public address, for links that a command prints. */
export const passwordLinksMigration: Migration = {
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
