import { Database } from '../../src/kernel/sqlite/database.ts';
import { migrate } from '../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import { type OpenStore, openStore } from '../../src/jobs/store/openStore.ts';

/** What the migrations of this release make of an empty store, as statements in the same order. */
export function finalSchema(): string {
  const db = new Database(':memory:');
  try {
    migrate(db, MIGRATIONS);
    return db
      .all('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid')
      .map(({ sql }) => `${sql};`)
      .join('\n');
  } finally {
    db.close();
  }
}

let schema: string | undefined;

/**
 * A store in memory as `openStore` gives it, for tests that need hundreds: its tables are made as
 * they are at last, which takes a fifth of the time that the migrations take.
 */
export function memoryStore(): OpenStore {
  schema ??= finalSchema();
  return openStore({ file: ':memory:', pid: 1, now: 0, migrations: [schema] });
}
