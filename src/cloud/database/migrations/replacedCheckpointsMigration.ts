import type { Migration } from './migration.ts';

/** A copy of the state that replaces the one at the same entry. */
export const replacedCheckpointsMigration: Migration = {
  name: 'replaced checkpoints',
  async run(sql) {
    await sql.unsafe(`
      -- number of the first of its rows in checkpoint_parts: those of a copy that replaces another follow the others
      alter table checkpoints add column first_part int not null default 0;
    `);
  },
};
