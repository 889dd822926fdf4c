import { Database } from '../../src/kernel/sqlite/database.ts';
import { migrate } from '../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import type { SqlValue } from '../../src/kernel/sqlite/toSqlValue.ts';

export function migrated(): Database {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  return db;
}

/** How SQLite finds what is read in `act`: the lines of its plan for each statement, in order. */
export function listQueryPlans(db: Database, act: (db: Database) => unknown): string[][] {
  const plans: string[][] = [];
  const note = (sql: string, values: SqlValue[]) =>
    plans.push(db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail)));
  act(
    Object.assign(Object.create(db) as Database, {
      all(sql: string, ...values: SqlValue[]) {
        note(sql, values);
        return db.all(sql, ...values);
      },
      get(sql: string, ...values: SqlValue[]) {
        note(sql, values);
        return db.get(sql, ...values);
      },
    }),
  );
  return plans;
}
