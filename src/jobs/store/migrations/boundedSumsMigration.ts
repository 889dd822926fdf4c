import {
  COST_COLUMNS,
  COST_KEY,
  COST_SUMS,
  buildCostColumns,
  isSameCost,
} from './costMigration.ts';

/** Largest stored sum: 2^53-1, which JavaScript still reads exactly. */
export const MAX_STORED_SUM = Number.MAX_SAFE_INTEGER;

/** Adds a number to a sum; numbers below 0 add nothing. */
const buildBoundedAdd = (sum: string, more: string): string =>
  `min(${MAX_STORED_SUM}, ${sum} + max(0, ${more}))`;

/**
 * Subtracts a number from a sum. A sum at the bound stays there, since its real value is unknown.
 */
const buildBoundedSubtract = (sum: string, less: string): string =>
  `CASE WHEN ${sum} >= ${MAX_STORED_SUM} THEN ${sum} ELSE max(0, ${sum} - max(0, ${less})) END`;

const buildSetClause = (
  table: string,
  names: readonly string[],
  to: (sum: string, name: string) => string,
): string => names.map((name) => `${name} = ${to(`${table}.${name}`, name)}`).join(', ');

const buildBoundedColumns = (names: readonly string[]): string =>
  names.map((name) => `min(${MAX_STORED_SUM}, max(0, ${name}))`).join(', ');

/** Whether a part belongs to the row, NEW or OLD. */
const buildPartMatch = (row: string): string =>
  ['subject', 'visit', 'session', 'seq'].map((name) => `p.${name} = ${row}.${name}`).join(' AND ');
/** Whether a sum of the table belongs to a part. */
const buildSumMatch = (table: string): string =>
  ['scope', 'key', 'window'].map((name) => `${table}.${name} = p.${name}`).join(' AND ');

/** A table of sums by scope, and which ledger rows count in it. */
interface ScopedSums {
  table: string;
  names: readonly string[];
  /** Columns of a ledger row, by its alias and that of its parts. */
  values: readonly string[];
  toWhenClause(row: string): string;
  triggers: Readonly<Record<'added' | 'changed' | 'changes' | 'removes', string>>;
}

const SCOPED: readonly ScopedSums[] = [
  {
    table: 'usage_sums',
    names: ['micro_usd', 'tokens', 'calls', 'unpriced_calls', 'sessions', 'ms'],
    values: ['p.micro_usd', 'p.tokens', 'p.calls', 'p.unpriced_calls', 'p.sessions', 'p.ms'],
    toWhenClause: () => '',
    triggers: {
      added: 'usage_calls_INSERT_adds',
      changed: 'usage_calls_UPDATE_adds',
      changes: 'usage_calls_UPDATE_removes',
      removes: 'usage_calls_DELETE_removes',
    },
  },
  {
    table: 'unpriced_sums',
    names: ['input_tokens', 'output_tokens'],
    values: ['#.input_tokens', '#.output_tokens'],
    toWhenClause: (row) => `WHEN ${row}.micro_usd IS NULL AND ${row}.metered = 1`,
    triggers: {
      added: 'unpriced_added',
      changed: 'unpriced_changed',
      changes: 'unpriced_changes',
      removes: 'unpriced_removes',
    },
  },
];

function buildScopedTriggers({
  table,
  names,
  values,
  toWhenClause: when,
  triggers,
}: ScopedSums): string {
  const of = (row: string) => values.map((value) => value.replaceAll('#', row));
  const adds = `
    INSERT INTO ${table} (scope, key, window, ${names.join(', ')})
      SELECT p.scope, p.key, p.window, ${buildBoundedColumns(of('NEW'))} FROM usage_parts p
      WHERE ${buildPartMatch('NEW')}
    ON CONFLICT (scope, key, window) DO UPDATE SET
      ${buildSetClause(table, names, (sum, name) => buildBoundedAdd(sum, `excluded.${name}`))};`;
  const removes = `
    UPDATE ${table} SET
      ${names.map((name, index) => `${name} = ${buildBoundedSubtract(`${table}.${name}`, of('OLD')[index] ?? '0')}`).join(', ')}
    FROM usage_parts p
    WHERE ${buildPartMatch('OLD')} AND ${buildSumMatch(table)};`;
  return `
  ${Object.values(triggers)
    .map((name) => `DROP TRIGGER ${name};`)
    .join(' ')}
  CREATE TRIGGER ${triggers.added} AFTER INSERT ON usage_calls ${when('NEW')} BEGIN ${adds} END;
  CREATE TRIGGER ${triggers.changed} AFTER UPDATE ON usage_calls ${when('NEW')} BEGIN ${adds} END;
  CREATE TRIGGER ${triggers.changes} BEFORE UPDATE ON usage_calls ${when('OLD')} BEGIN ${removes} END;
  CREATE TRIGGER ${triggers.removes} BEFORE DELETE ON usage_calls ${when('OLD')} BEGIN ${removes} END;`;
}

function buildHourTriggers(): string {
  const buildAddTrigger = (change: string) => `
  CREATE TRIGGER usage_hours_${change}_adds AFTER ${change} ON usage_calls BEGIN
    INSERT INTO usage_hours (${COST_COLUMNS}, entries) SELECT ${buildCostColumns('NEW')}, 1 WHERE true
    ON CONFLICT (${COST_KEY}) DO UPDATE SET
      ${buildSetClause('usage_hours', [...COST_SUMS, 'entries'], (sum, name) => buildBoundedAdd(sum, `excluded.${name}`))};
  END;`;
  const buildRemoveTrigger = (change: string) => `
  CREATE TRIGGER usage_hours_${change}_removes BEFORE ${change} ON usage_calls BEGIN
    UPDATE usage_hours SET
      ${buildSetClause('usage_hours', COST_SUMS, (sum, name) => buildBoundedSubtract(sum, `old_row.${name}`))}, entries = entries - 1
    FROM (SELECT ${buildCostColumns('OLD')}) old_row WHERE ${isSameCost('OLD', 'usage_hours.')};
    DELETE FROM usage_hours WHERE entries = 0 AND ${isSameCost('OLD')};
  END;`;
  const names = ['INSERT_adds', 'UPDATE_adds', 'UPDATE_removes', 'DELETE_removes'];
  return `
  ${names.map((name) => `DROP TRIGGER usage_hours_${name};`).join(' ')}
  ${['INSERT', 'UPDATE'].map(buildAddTrigger).join('')}
  ${['UPDATE', 'DELETE'].map(buildRemoveTrigger).join('')}`;
}

/**
 * Sums of the ledger stop at a bound and never fall below 0: a sum that overflows would be an
 * unreadable row or a failing commit.
 */
export const BOUNDED_SUMS_MIGRATION = `${SCOPED.map(buildScopedTriggers).join('')}${buildHourTriggers()}
`;
