import type { Migration } from './migration.ts';

/** When a runner's token was made, and up to where its list of jobs is stored. */
export const runnerPlacesMigration: Migration = {
  name: 'runner places',
  async run(sql) {
    await sql.unsafe(`
      alter table runners add column token_at timestamptz not null;
      alter table runners add column jobs_place jsonb;
    `);
  },
};
