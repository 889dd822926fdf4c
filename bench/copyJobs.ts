import { Database } from '../src/kernel/sqlite/database.ts';
import { REBUILD_JOB_QUARTERS } from '../src/jobs/store/migrations/jobQuarterMigration.ts';
import { TEMPLATE_REPO, type TemplateName, templateId, templatePrs } from './templateJobs.ts';

const REPOSITORIES = 50;
/** Copies of one statement. */
const AT_ONCE = 50_000;
/** Time between the creations of two copies, ms. */
const APART_MS = 20;
/** Columns that hold a time, epoch ms. */
const TIMES = new Set(['created_at', 'updated_at', 'since', 'at', 'started_at', 'ended_at']);

export type Copies = Readonly<Partial<Record<TemplateName, number>>>;

const PAD = "substr('0000000' || k.n, -7)";

/** The column of a copy: ids, numbers, repository and times are its own. */
function selectColumn(name: string, type: string, template: TemplateName, total: number): string {
  const prs = templatePrs(template);
  const number = (nth: number) => `(1000000 + 2 * k.n + ${nth})`;
  if (type === 'INTEGER') {
    if (name === 'number')
      return `CASE t.number ${prs.map((pr, nth) => `WHEN ${pr} THEN ${number(nth)}`).join(' ')} ELSE t.number END`;
    return TIMES.has(name) ? `t.${name} - (${total} - k.n) * ${APART_MS}` : `t.${name}`;
  }
  const own = [
    [templateId(template), `'copy-' || ${PAD}`],
    [TEMPLATE_REPO, `'repository-' || (k.n % ${REPOSITORIES})`],
    ...prs.map((pr, nth) => [String(pr), number(nth)]),
  ];
  return own.reduce((sql, [from, to]) => `replace(${sql}, '${from}', ${to})`, `t.${name}`);
}

/**
 * Fills the state of a home with copies of the template jobs that are in it, as if they had all
 * been run: every row of every table that belongs to one. The templates are removed. No runner may
 * have the home open.
 */
export function copyJobs(file: string, copies: Copies, tell: (line: string) => void): void {
  const db = new Database(file);
  // A home of the benches may be lost; what SQLite does for its safety takes most of the time.
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  db.exec('PRAGMA cache_size = -2000000');
  const plan = Object.entries(copies) as [TemplateName, number][];
  const total = plan.reduce((sum, [, count]) => sum + count, 0);
  // Each kind has its share of every stretch of ids, as in a home where jobs come and go.
  db.exec('CREATE TEMP TABLE copied (template TEXT, n INTEGER PRIMARY KEY)');
  for (const [index, [template, count]] of plan.entries()) {
    const free = plan.length - index;
    const remaining = plan.slice(index).reduce((sum, [, rest]) => sum + rest, 0);
    db.run(
      `INSERT INTO copied SELECT ?, n FROM (
         WITH RECURSIVE k (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n + 1 < ?)
         SELECT n, row_number() OVER (ORDER BY n) AS place FROM k WHERE n NOT IN (SELECT n FROM copied)
       ) WHERE place * ? / ? > (place - 1) * ? / ?`,
      template,
      total,
      count,
      remaining,
      count,
      remaining,
    );
    tell(`${count} copies of ${templateId(template)} planned, ${free - 1} kinds left`);
  }
  db.exec('CREATE INDEX temp.copied_template ON copied (template, n)');
  // In one go, from sorted keys, when all rows exist.
  const indexes = db.all(
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL",
  );
  for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`);
  const tables = db.all(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'meta'",
  );
  for (const { name: table } of tables) {
    const columns = db.all(`SELECT name, type FROM pragma_table_info('${String(table)}')`);
    const key = ['job_id', 'actor', 'id'].find((one) => columns.some(({ name }) => name === one));
    if (key === undefined) continue;
    // One by one: while its indexes are gone, not every table is found by its job.
    db.exec(
      `CREATE TEMP TABLE template AS SELECT * FROM ${String(table)} WHERE ${key} LIKE 'template-%'`,
    );
    for (let from = 0; from < total; from += AT_ONCE) {
      for (const [template] of plan) {
        const values = columns.map(({ name, type }) =>
          selectColumn(String(name), String(type), template, total),
        );
        db.run(
          `INSERT INTO ${String(table)} (${columns.map(({ name }) => name).join(', ')})
           SELECT ${values.join(', ')} FROM copied k CROSS JOIN template t
           WHERE k.template = ? AND k.n >= ? AND k.n < ? AND t.${key} = ?`,
          template,
          from,
          from + AT_ONCE,
          templateId(template),
        );
      }
    }
    db.run(`DELETE FROM ${String(table)} WHERE ${key} LIKE 'template-%'`);
    db.exec('DROP TABLE temp.template');
    tell(`${String(table)} filled`);
  }
  for (const { name, sql } of indexes) {
    db.exec(String(sql));
    tell(`${String(name)} made`);
  }
  // Its triggers have counted rows whose visit or job came later as none.
  db.exec(REBUILD_JOB_QUARTERS);
  db.close();
}
