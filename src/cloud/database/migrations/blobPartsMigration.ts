import type { Migration } from './migration.ts';

/** Artefacts and archives that come in parts: they count once all parts have come. */
export const blobPartsMigration: Migration = {
  name: 'artefacts in parts',
  async run(sql) {
    await sql.unsafe(`
      alter table blobs add column is_whole boolean not null default true;
      create index blobs_unfinished on blobs (uploaded_at) where not is_whole;
    `);
  },
};
