import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import type { ColumnSpec } from '../../src/kernel/sqlite/broken/createColumnCheck.ts';
import { STATE_SHAPES } from '../../src/jobs/store/shapes/tableShapes.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { createLog } from '../../src/base/system/log/log.ts';
import { type StartedRunner, startRunner } from '../../src/main.ts';

const RELEASED = join(import.meta.dirname, '..', 'fixtures', 'homes', '0.2', 'state.sql');
const ROOT = join(import.meta.dirname, '..', '..');

/** The same in every home of a test. */
const A_MINUTE_AGO = Date.now() - 60_000;

export type Value = string | number | bigint | Uint8Array | null;
type Row = Record<string, Value>;

interface Column {
  name: string;
  type: string;
  mayBeNull: boolean;
  /** From 1; 0 = not part of the primary key. */
  key: number;
}

/** A home with jobs of svc 0.2 that wait or have ended, and one row or more in every table. */
export class BrokenHome {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-broken-'));
  readonly file = join(this.home, 'state.db');
  readonly log: string[] = [];
  readonly jobs: string[];

  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #columns = new Map<string, Column[]>();
  readonly #unique = new Map<string, Set<string>>();
  /** The first row of each table, by name. */
  readonly #first = new Map<string, Row>();

  constructor() {
    // No job is newer, so that the count of jobs does not write the file while a test reads it.
    const coachMode = { totalRuns: 0, lastRunAt: '2100-01-01T00:00:00.000Z' };
    const config = { server: { port: 0 }, coachMode };
    writeFileSync(join(this.home, 'config.json'), JSON.stringify(config));
    writeFileSync(this.file, releasedState());
    this.#db = new DatabaseSync(this.file, { defensive: false });
    this.#db.exec('PRAGMA synchronous = OFF; BEGIN');
    this.jobs = this.#db
      .prepare("SELECT id FROM actors WHERE chart = 'job' ORDER BY id")
      .all()
      .map(({ id }) => String(id));
    for (const table of this.tables()) {
      this.#fill(table);
      // A state of a job would change what the job is after it.
      const order = table === 'frames' ? "ORDER BY kind <> 'log'" : '';
      this.#first.set(
        table,
        this.#db.prepare(`SELECT * FROM ${table} ${order} LIMIT 1`).get() as Row,
      );
    }
  }

  /** What the database has, so that a new table is not forgotten. */
  tables(): string[] {
    return this.#db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all()
      .map(({ name }) => String(name));
  }

  columns(table: string): Column[] {
    let columns = this.#columns.get(table);
    if (!columns) {
      columns = this.#db
        .prepare('SELECT name, type, "notnull" AS no_null, pk FROM pragma_table_info(?)')
        .all(table)
        .map(({ name, type, no_null, pk }) => ({
          name: String(name),
          type: String(type),
          mayBeNull: no_null === 0 && pk === 0,
          key: Number(pk),
        }));
      this.#columns.set(table, columns);
    }
    return columns;
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Plants like a damaged file: constraints, types and triggers are off until it is done. */
  plantAnything(plant: () => void): void {
    const schema = this.#db
      .prepare(
        "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'trigger') AND sql IS NOT NULL",
      )
      .all()
      .map(({ type, name, sql }) => ({ type, name: String(name), sql: String(sql) }));
    const rewrite = (tables: { name: string; sql: string }[]) => {
      this.#db.exec('PRAGMA writable_schema = ON');
      const write = this.#db.prepare(
        "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?",
      );
      for (const { name, sql } of tables) write.run(sql, name);
      this.#db.exec('PRAGMA writable_schema = RESET');
    };
    const tables = schema.filter(({ type }) => type === 'table');
    const triggers = schema.filter(({ type }) => type === 'trigger');
    for (const { name } of triggers) this.#db.exec(`DROP TRIGGER ${name}`);
    rewrite(tables.map(({ name, sql }) => ({ name, sql: withoutConstraints(sql) })));
    plant();
    rewrite(tables);
    for (const { sql } of triggers) this.#db.exec(sql);
  }

  /** One more row of a table, as the first one is but for these columns and its key. */
  plant(table: string, changed: Row, id: string): void {
    const known = new Set(this.columns(table).map(({ name }) => name));
    const row = { ...this.#first.get(table), ...this.#newKey(table, id), ...changed };
    insert(
      this.#db,
      table,
      Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name))),
    );
  }

  /** How a row that was planted with this id is named. */
  readId(table: string, id: string): string {
    const row = { ...this.#first.get(table), ...this.#newKey(table, id) };
    return this.columns(table)
      .filter(({ key }) => key > 0)
      .sort((a, b) => a.key - b.key)
      .map(({ name }) => String(row[name]))
      .join('/');
  }

  #newKey(table: string, id: string): Row {
    const number = [...id].reduce(
      (sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_000_007,
      7,
    );
    const unique = this.#uniqueColumns(table);
    // One of a few words would be broken itself.
    const isWord = (name: string) => {
      const spec = STATE_SHAPES[table]?.[name];
      return typeof spec === 'object' || spec === 'flag';
    };
    const key = this.columns(table).filter(
      ({ name, key: n }) => (n > 0 || unique.has(name)) && !isWord(name),
    );
    return Object.fromEntries(
      key
        .filter(({ name }) => !KEPT_KEYS.has(name) || key.length === 1)
        .map(({ name, type }) => [name, type === 'TEXT' ? id : number]),
    );
  }

  /** Columns of unique indexes other than the primary key. */
  #uniqueColumns(table: string): Set<string> {
    let unique = this.#unique.get(table);
    if (!unique) {
      unique = new Set(
        this.#db
          .prepare(
            `SELECT c.name FROM pragma_index_list(?) i, pragma_index_info(i.name) c
             WHERE i."unique" = 1 AND i.origin <> 'pk' AND c.name IS NOT NULL`,
          )
          .all(table)
          .map(({ name }) => String(name)),
      );
      this.#unique.set(table, unique);
    }
    return unique;
  }

  #fill(table: string): void {
    const shape = STATE_SHAPES[table];
    if (shape === undefined) throw new Error(`${table} has no shape`);
    if (this.#db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get()) return;
    const row = Object.fromEntries(
      Object.entries(shape).map(([name, spec]) => [name, this.#sound(name, spec)]),
    );
    // Bytes have no shape.
    for (const { name, type, mayBeNull } of this.columns(table))
      if (type === 'BLOB' && !mayBeNull) row[name] ??= Uint8Array.of(0);
    insert(this.#db, table, row);
  }

  #sound(name: string, spec: ColumnSpec): Value {
    if (['job_id', 'subject', 'root', 'actor', 'receiver'].includes(name))
      return this.jobs[0] ?? '';
    if (name === 'investigation' || (name === 'id' && spec === 'text')) return 'chat-1';
    if (typeof spec === 'object')
      return 'oneOf' in spec
        ? (Object.keys(spec.oneOf)[0] ?? '')
        : JSON.stringify({ type: 'x', kind: 'approval' });
    if (spec === 'empty-or-json') return '';
    const kind = spec.replace('?', '');
    if (kind === 'time') return A_MINUTE_AGO;
    if (['count', 'whole', 'flag', 'real'].includes(kind)) return 1;
    if (kind === 'iso') return '2026-01-01T00:00:00.000Z';
    if (kind === 'object' || kind === 'json') return '{}';
    return kind === 'text' ? 'sound' : '[]';
  }

  close(): void {
    if (!this.#db.isOpen) return;
    this.#db.exec('COMMIT');
    this.#db.close();
  }

  async start(): Promise<StartedRunner> {
    this.close();
    const sources = {
      env: { SVC_HOME: this.home },
      homeDir: this.home,
      flags: {},
      packageRoot: ROOT,
    };
    const { settings } = await loadSettings(sources);
    return startRunner(settings, {
      log: {
        ...createLog(2, 'warn'),
        warn: this.#note,
        error: this.#note,
        info: () => {},
        debug: () => {},
      },
      hostEnv: { PATH: process.env.PATH },
      packageRoot: ROOT,
      pid: process.pid,
      secrets: new KnownSecrets(),
      config: { sources },
      commits: 'inline',
    });
  }

  readonly #note = (facts: object, text = ''): void => {
    this.log.push(`${text} ${JSON.stringify(facts)}`);
  };

  token(): string {
    return readFileSync(join(this.home, 'runner.token'), 'utf8').trim();
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

let released: Buffer | undefined;

/** A state of this release with the jobs of one of 0.2 that are not at work. */
function releasedState(): Buffer {
  if (released) return released;
  const dir = mkdtempSync(join(tmpdir(), 'svc-broken-'));
  const file = join(dir, 'state.db');
  const rows = readFileSync(RELEASED, 'utf8').replaceAll('@DIR@', dir);
  const version = Number(/^-- user_version (\d+)$/m.exec(rows)?.[1]);
  const db = new DatabaseSync(file);
  for (const migration of MIGRATIONS.slice(0, version)) db.exec(migration);
  db.exec(`${rows}\nPRAGMA user_version = ${version}`);
  // Nothing is at work in it: a start begins no agents.
  db.exec(`DELETE FROM outbox; DELETE FROM actors WHERE activity = 'live'`);
  db.close();
  openStore({ file, pid: 1, now: 0 }).close();
  released = readFileSync(file);
  rmSync(dir, { recursive: true });
  return released;
}

const withoutConstraints = (sql: string): string =>
  sql
    .replaceAll(/ NOT NULL/g, '')
    .replaceAll(/ CHECK \([^()]*(?:\([^()]*\)[^()]*)*\)/g, '')
    .replace(/\) STRICT(?:, )?/, ') ');

/** Parts of keys by which rows belong to something that exists. */
const KEPT_KEYS = new Set(['job_id', 'actor', 'subject', 'parent', 'investigation']);

function insert(db: InstanceType<typeof DatabaseSync>, table: string, row: Row): void {
  const names = Object.keys(row);
  db.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(...Object.values(row));
}
