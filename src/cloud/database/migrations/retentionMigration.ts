import type { Migration } from './migration.ts';

/** By which the rows are found that are no longer kept. */
export const retentionMigration: Migration = {
  name: 'retention',
  async run(sql) {
    await sql.unsafe(`
      create index jobs_ended on jobs (updated_at) where state in ('complete', 'partial', 'failed', 'cancelled');
      create index dispatches_ended on dispatches (ended_at) where ended_at is not null;
    `);
  },
};
