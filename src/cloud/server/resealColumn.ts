import type { Database } from '../database/database.ts';
import { KEY_NAME_BYTES, type Sealer } from './sealer.ts';

/** A column of sealed secrets. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Columns of the table that name the place of a secret. */
  facts: readonly string[];
  /** Where the secret of a row opens. */
  toPlace(row: Readonly<Record<string, unknown>>): string;
}

export interface ResealCounts {
  /** Secrets that have been sealed with the newest key. */
  resealed: number;
  /** Secrets that no key opens. */
  lost: number;
}

/** Rows that are read at a time: a step is short, so that nodes do not wait. */
const STEP_ROWS = 100;

/**
 * Seals with the newest key of `sealer` what was sealed with another one, row by row: it may end at any moment, and
 * continues when it is called again. A row that a node changes meanwhile is left to the node, or to the next round.
 */
export async function resealColumn(
  { sql }: Database,
  sealer: Sealer,
  { table, column, facts, toPlace }: SealedColumn,
): Promise<ResealCounts> {
  const newest = Buffer.from(sealer.keyNames[0] ?? '', 'hex');
  let resealedCount = 0;
  for (;;) {
    let lostCount = 0;
    let changedMeanwhile = 0;
    let after = '(0,0)';
    for (;;) {
      const rows = await sql`
        select ctid::text as place, ${sql(column)} as sealed, ${sql([...facts])} from ${sql(table)}
        where ctid > ${after}::text::tid and substring(${sql(column)} from 2 for ${KEY_NAME_BYTES}) <> ${newest}
        order by ctid limit ${STEP_ROWS}`;
      for (const row of rows) {
        const place = toPlace(row);
        const text = sealer.open(row.sealed, place);
        if (text === null) {
          lostCount += 1;
          continue;
        }
        const { count } = await sql`
          update ${sql(table)} set ${sql(column)} = ${sealer.seal(text, place)}
          where ctid = ${row.place}::text::tid and ${sql(column)} = ${row.sealed}`;
        if (count === 0) changedMeanwhile += 1;
        else resealedCount += 1;
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.place;
    }
    if (changedMeanwhile === 0) return { resealed: resealedCount, lost: lostCount };
  }
}
