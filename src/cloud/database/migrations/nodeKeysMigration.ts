import type { Migration } from './migration.ts';

/** Which keys each node opens secrets with, so that a key is not given up before all nodes have the next one. */
export const nodeKeysMigration: Migration = {
  name: 'node keys',
  async run(sql) {
    await sql.unsafe(`
      -- names of keys, which say nothing of the keys; null = a node of an earlier version
      alter table nodes add column keys jsonb;
    `);
  },
};
