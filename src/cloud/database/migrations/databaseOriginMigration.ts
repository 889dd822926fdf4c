import { selectOrigin } from '../selectOrigin.ts';
import type { Migration } from './migration.ts';

/** Which database the rows were written in: restored from a dump they are in another one. */
export const databaseOriginMigration: Migration = {
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
