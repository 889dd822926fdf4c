/** What is summed, and how a ledger row counts. */
const SUMMED = {
  micro_usd: 'coalesce(#.micro_usd, 0)',
  unpriced: '(#.micro_usd IS NULL)',
  calls: "(#.source <> 'none')",
  estimated: "(#.source = 'estimated')",
  sessions: '(#.seq = 1)',
  ms: '#.ms',
  input_tokens: '#.input_tokens',
  output_tokens: '#.output_tokens',
  cached_input_tokens: '#.cached_input_tokens',
  cache_write_tokens: '#.cache_write_tokens',
  reasoning_tokens: '#.reasoning_tokens',
} as const;

export const COST_SUMS = Object.keys(SUMMED) as readonly (keyof typeof SUMMED)[];

const PARTS = ['phase', 'root', 'workflow', 'repository', 'provider', 'model'] as const;

/** Length of the summed periods, ms. */
export const HOUR_MS = 3_600_000;

const fillRowName = (row: string, text: string): string => text.replaceAll('#', row);

/** The columns of `usage_hours` for a ledger row; `row` is its name in SQL. */
export const buildCostColumns = (row: string): string =>
  [
    `${row}.subject`,
    `${row}.at / ${HOUR_MS} AS hour`,
    ...PARTS.map((part) => `${row}.${part}`),
    ...COST_SUMS.map((name) => `${fillRowName(row, SUMMED[name])} AS ${name}`),
  ].join(', ');

/** A value as in the unique index, where null becomes 0, so that null equals null. */
const buildKeyedColumn = (part: (typeof PARTS)[number], row = ''): string =>
  part === 'phase' || part === 'root' ? `${row}${part}` : `ifnull(${row}${part}, 0)`;

/** The columns of the unique index of `usage_hours`. */
export const COST_KEY = ['subject', 'hour', ...PARTS.map((part) => buildKeyedColumn(part))].join(
  ', ',
);

/**
 * Whether a row of `usage_hours` is the one in which a ledger row counts. `prefix` comes before the
 * columns of `usage_hours`, where other columns have the same names.
 */
export const isSameCost = (row: string, prefix = ''): string =>
  [
    `${prefix}subject = ${row}.subject AND ${prefix}hour = ${row}.at / ${HOUR_MS}`,
    ...PARTS.map(
      (part) => `${buildKeyedColumn(part, prefix)} = ${buildKeyedColumn(part, `${row}.`)}`,
    ),
  ].join(' AND ');

export const COST_COLUMNS = ['subject', 'hour', ...PARTS, ...COST_SUMS].join(', ');

/**
 * The ledger by hour: one row for all calls of an hour that costs are not split by further. It is
 * read instead of the ledger, which may have a hundred times as many rows. Triggers maintain it
 * like the sums of the ledger; a row without calls is removed.
 */
export const COST_MIGRATION = `
  CREATE TABLE usage_hours (
    id INTEGER PRIMARY KEY NOT NULL, subject TEXT NOT NULL, hour INTEGER NOT NULL, phase TEXT NOT NULL, root TEXT NOT NULL,
    workflow TEXT, repository TEXT, provider TEXT, model TEXT,
    ${COST_SUMS.map((name) => `${name} INTEGER NOT NULL`).join(', ')}, entries INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX usage_hours_key ON usage_hours (${COST_KEY});
  CREATE INDEX usage_hours_hour ON usage_hours (hour);
  CREATE INDEX usage_hours_root ON usage_hours (root);
  ${['INSERT', 'UPDATE'].map(buildHourAddTrigger).join('')}
  ${['UPDATE', 'DELETE'].map(buildHourRemoveTrigger).join('')}
  INSERT INTO usage_hours (${COST_COLUMNS}, entries)
    SELECT subject, hour, ${PARTS.join(', ')}, ${COST_SUMS.map((name) => `sum(${name})`).join(', ')}, count(*)
    FROM (SELECT ${buildCostColumns('c')} FROM usage_calls c)
    GROUP BY subject, hour, ${PARTS.join(', ')};
  `;

function buildHourAddTrigger(change: string): string {
  return `
  CREATE TRIGGER usage_hours_${change}_adds AFTER ${change} ON usage_calls BEGIN
    INSERT INTO usage_hours (${COST_COLUMNS}, entries)
      SELECT ${buildCostColumns('NEW')}, 1 WHERE true
    ON CONFLICT (${COST_KEY}) DO UPDATE SET
      ${[...COST_SUMS, 'entries'].map((name) => `${name} = ${name} + excluded.${name}`).join(', ')};
  END;`;
}

function buildHourRemoveTrigger(change: string): string {
  const less = COST_SUMS.map((name) => `${name} = ${name} - ${fillRowName('OLD', SUMMED[name])}`);
  return `
  CREATE TRIGGER usage_hours_${change}_removes BEFORE ${change} ON usage_calls BEGIN
    UPDATE usage_hours SET ${less.join(', ')}, entries = entries - 1 WHERE ${isSameCost('OLD')};
    DELETE FROM usage_hours WHERE entries = 0 AND ${isSameCost('OLD')};
  END;`;
}
