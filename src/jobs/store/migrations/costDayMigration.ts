import { MAX_STORED_SUM } from './boundedSumsMigration.ts';
import { COST_SUMS } from './costMigration.ts';

const HOURS = 24;
const SUMS = [...COST_SUMS, 'entries'] as const;

/** A column of what costs are split by; `orNull`: null is another value than an empty text. */
interface KeyColumn {
  name: string;
  orNull?: true;
}

interface DayTable {
  table: string;
  keys: readonly KeyColumn[];
}

/** Costs by day, of whose they are, and of what they were for: each with a fraction of the hours' rows. */
const TABLES: readonly DayTable[] = [
  { table: 'usage_subject_days', keys: [{ name: 'subject' }, { name: 'root' }] },
  {
    table: 'usage_place_days',
    keys: [
      { name: 'phase' },
      ...['workflow', 'repository', 'provider', 'model'].map((name) => ({
        name,
        orNull: true as const,
      })),
    ],
  },
];

const buildKey = ({ name, orNull }: KeyColumn, row = ''): string =>
  orNull ? `ifnull(${row}${name}, 0)` : `${row}${name}`;

const isSameDay = ({ keys }: DayTable, row: string): string =>
  [
    `day = ${row}hour / ${HOURS}`,
    ...keys.map((key) => `${buildKey(key)} = ${buildKey(key, row)}`),
  ].join(' AND ');

/** A sum at the bound stays there, since its real value is unknown. */
const buildChange = (less: string, more: string): string =>
  SUMS.map(
    (name) =>
      `${name} = CASE WHEN ${name} >= ${MAX_STORED_SUM} THEN ${name} ELSE min(${MAX_STORED_SUM}, max(0, ${name} - ${less.replaceAll('#', name)} + ${more.replaceAll('#', name)})) END`,
  ).join(', ');

const OLD = 'max(0, OLD.#)';
const NEW = 'max(0, NEW.#)';

const buildDayTable = (day: DayTable): string => {
  const { table, keys } = day;
  const names = keys.map(({ name }) => name).join(', ');
  const columns = `day, ${names}, ${SUMS.join(', ')}`;
  return `
  CREATE TABLE ${table} (
    id INTEGER PRIMARY KEY NOT NULL, day INTEGER NOT NULL,
    ${keys.map(({ name, orNull }) => `${name} TEXT${orNull ? '' : ' NOT NULL'}`).join(', ')},
    ${SUMS.map((name) => `${name} INTEGER NOT NULL`).join(', ')}
  ) STRICT;
  CREATE UNIQUE INDEX ${table}_key ON ${table} (day, ${keys.map((key) => buildKey(key)).join(', ')});
  ${buildRefill(day)}
  CREATE TRIGGER ${table}_insert_adds AFTER INSERT ON usage_hours BEGIN
    INSERT INTO ${table} (${columns})
      SELECT NEW.hour / ${HOURS}, ${keys.map(({ name }) => `NEW.${name}`).join(', ')}, ${SUMS.map((name) => `min(${MAX_STORED_SUM}, max(0, NEW.${name}))`).join(', ')} WHERE true
    ON CONFLICT (day, ${keys.map((key) => buildKey(key)).join(', ')}) DO UPDATE SET
      ${SUMS.map((name) => `${name} = min(${MAX_STORED_SUM}, ${table}.${name} + excluded.${name})`).join(', ')};
  END;
  CREATE TRIGGER ${table}_update_changes AFTER UPDATE ON usage_hours BEGIN
    UPDATE ${table} SET ${buildChange(OLD, NEW)} WHERE ${isSameDay(day, 'NEW.')};
  END;
  CREATE TRIGGER ${table}_delete_removes AFTER DELETE ON usage_hours BEGIN
    UPDATE ${table} SET ${buildChange(OLD, '0')} WHERE ${isSameDay(day, 'OLD.')};
    DELETE FROM ${table} WHERE entries = 0 AND ${isSameDay(day, 'OLD.')};
  END;`;
};

const buildRefill = ({ table, keys }: DayTable): string => {
  const names = keys.map(({ name }) => name).join(', ');
  return `DELETE FROM ${table};
  INSERT INTO ${table} (day, ${names}, ${SUMS.join(', ')})
    SELECT hour / ${HOURS}, ${names}, ${SUMS.map((name) => `CAST(min(${MAX_STORED_SUM}, total(max(0, ${name}))) AS INTEGER)`).join(', ')}
    FROM usage_hours GROUP BY hour / ${HOURS}, ${names};`;
};

export const DAY_TABLES = TABLES.map(({ table }) => table);

/** Computes the days again from the hours. */
export const REBUILD_COST_DAYS = TABLES.map(buildRefill).join('\n');

/**
 * The ledger by day, for what is asked most: triggers keep it in the commit that changes the hours. A
 * day without calls has no row.
 */
export const COST_DAY_MIGRATION = TABLES.map(buildDayTable).join('\n');
