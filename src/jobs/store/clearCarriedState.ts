import { SvcError } from '../../base/errors/errors.ts';
import { forgetLog } from '../../kernel/sqlite/log/outgoing.ts';
import { IN_MEMORY } from '../../kernel/sqlite/openConnection.ts';
import { Database } from '../../kernel/sqlite/database.ts';
import { migrate } from '../../kernel/sqlite/migrate.ts';
import { MIGRATIONS } from './migrations/migrations.ts';

/** Charts that one job consists of, and what svc does for it. */
const CHARTS_OF_A_JOB = ['job', 'subRuns', 'poller', 'quota'];

/** Programs that SQLite runs when rows change or are read. */
const PROGRAMS = `SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name`;

/** Rows that the run of one job never has; most come from an act of a person. */
const FOREIGN_ROWS = {
  svc_approvals: 'true',
  // Reviews by agents are stored under the name of their job.
  forge_reviews: `author NOT LIKE 'svc:%'`,
  proposals: 'true',
  reviews: 'true',
  logins: 'true',
  // The files of archives are not carried over.
  archives: 'true',
};

/** Job ids are folder names. */
const isFolderName = (id: unknown): boolean => /^[^./\\][^/\\]*$/.test(String(id));

const listSchemaPrograms = (db: Database): string => JSON.stringify(db.all(PROGRAMS));

/** Whether triggers and views are exactly those that svc creates for this version. */
function hasOwnPrograms(db: Database, version: number): boolean {
  const fresh = new Database(IN_MEMORY);
  try {
    migrate(fresh, MIGRATIONS.slice(0, version));
    return listSchemaPrograms(db) === listSchemaPrograms(fresh);
  } finally {
    fresh.close();
  }
}

/**
 * Removes from the state of one job, which came from elsewhere, what no run of one job writes and
 * what would act for a person: approvals of merges, reviews, proposals, logins, and actors of other
 * kinds with their pending work. Returns what it found. Throws SvcError `bad-argument` for foreign
 * triggers or views, `store-failed` for an unreadable state.
 */
export function clearCarriedState(file: string): string[] {
  const db = new Database(file);
  try {
    const version = Number(db.get('PRAGMA user_version')?.user_version);
    // The start refuses these versions with a better reason.
    if (version === 0 || version > MIGRATIONS.length) return [];
    if (!hasOwnPrograms(db, version))
      throw new SvcError(
        'bad-argument',
        'state.db contains triggers or views that svc did not create',
      );
    const tables = new Set(
      db.all(`SELECT name FROM sqlite_master WHERE type = 'table'`).map(({ name }) => String(name)),
    );
    const ids = db.all(`SELECT id, coalesce(parent, id) AS parent FROM actors WHERE chart = 'job'`);
    if (!ids.every(({ id, parent }) => isFolderName(id) && isFolderName(parent)))
      throw new SvcError('bad-argument', 'state.db refers to a job that svc did not create');
    const removedTables: string[] = [];
    const remove = (table: string, where: string, ...values: string[]) => {
      if (!tables.has(table)) return;
      const count = db.run(`DELETE FROM ${table} WHERE ${where}`, ...values);
      if (count > 0) removedTables.push(`${count} rows of ${table}`);
    };
    db.transaction(() => {
      for (const [table, where] of Object.entries(FOREIGN_ROWS)) remove(table, where);
      if (tables.has('log_outgoing')) forgetLog(db);
      const charts = CHARTS_OF_A_JOB.map(() => '?').join(', ');
      remove('actors', `chart NOT IN (${charts})`, ...CHARTS_OF_A_JOB);
      const isGone = (column: string) => `${column} NOT IN (SELECT id FROM actors)`;
      remove('outbox', isGone('actor'));
      remove('timers', isGone('actor'));
      remove('mail', isGone('receiver'));
    });
    return removedTables;
  } finally {
    db.close();
  }
}
