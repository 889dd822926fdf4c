import { chainEntryHash, CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import type { LogEntry, LogPosition } from '../../../src/kernel/sqlite/log/homeLog.ts';
import type { Chance } from '../chance.ts';
import type { VirtualTime } from './virtualTime.ts';

/** What can be taken out, to see that the simulation notices. */
export type HomeSabotage = 'fence' | 'lease';

interface Claimed {
  generation: number;
  atMs: number;
}

/** Shares of statements whose connection fails before they run, or after it. */
const FAILS_BEFORE = 0.02;
const FAILS_AFTER = 0.03;
const SLOWEST_MS = 60;

/** The rows of one home's log in PostgreSQL. */
export class LogTable {
  readonly rows: LogEntry[] = [];
  readonly claims: Claimed[] = [];
  generation = 0;
  readonly #sabotage: HomeSabotage | null;

  constructor(sabotage: HomeSabotage | null) {
    this.#sabotage = sabotage;
  }

  get head(): LogPosition {
    const last = this.rows.at(-1);
    return { n: last?.n ?? 0, hash: last?.hash ?? CHAIN_START };
  }

  claim(head: LogPosition, atMs: number): number | null {
    if (head.n !== this.head.n || head.hash !== this.head.hash) return null;
    this.generation += 1;
    this.claims.push({ generation: this.generation, atMs });
    return this.generation;
  }

  /** The compare-and-set of a commit. */
  move(place: LogPosition, generation: number, entries: readonly LogEntry[]): boolean {
    if (this.#sabotage !== 'fence' && generation !== this.generation) return false;
    const { n, hash } = this.head;
    if (n !== place.n || hash !== place.hash) return false;
    this.rows.push(...entries);
    return true;
  }

  has(n: number, hash: string): boolean {
    return this.rows.some((row) => row.n === n && row.hash === hash);
  }

  /** What is wrong with the rows; empty = nothing. */
  findProblems(): string[] {
    const problems: string[] = [];
    let [hash, generation] = [CHAIN_START, 0];
    for (const [index, row] of this.rows.entries()) {
      if (row.n !== index + 1) problems.push(`row ${index + 1} is entry ${row.n}`);
      if (row.generation < generation) problems.push(`entry ${row.n} has an earlier generation`);
      if (chainEntryHash(hash, row) !== row.hash) problems.push(`entry ${row.n} follows no entry`);
      ({ hash, generation } = row);
    }
    return problems;
  }
}

type Statement = (...values: never[]) => object[];

/** The statements of `storeEntries`, over a table; connections are slow, and fail before or after a statement. */
export function openLogDatabase(
  table: LogTable,
  time: VirtualTime,
  chance: Chance,
): Pick<Database, 'sql' | 'transaction' | 'confirm'> {
  const store: Statement = (
    ...[, , , , , , , generation, n, hash, , bodies, , rows]: [
      number,
      string,
      Date,
      number,
      boolean,
      Date,
      string,
      number,
      number,
      string,
      number,
      Buffer,
      Date,
      string,
      string,
      string,
    ]
  ) => {
    const entries = (
      JSON.parse(rows) as { n: number; hash: string; size: number; start: number }[]
    ).map((row) => ({
      n: row.n,
      hash: row.hash,
      generation,
      body: Uint8Array.from(bodies.subarray(row.start - 1, row.start - 1 + row.size)),
    }));
    return [{ moved: table.move({ n, hash }, generation, entries) ? 1 : 0 }];
  };
  const confirmKnown: Statement = (...[, n, hash]: [string, number, string]) =>
    table.has(n, hash) ? [{}] : [];
  const readHead: Statement = () => {
    const { n, hash } = table.head;
    return [{ generation: table.generation, head: n, hash }];
  };
  const findStatement = (text: string): Statement => {
    if (text.includes('with moved as')) return store;
    if (text.includes('set head = head')) return confirmKnown;
    if (text.includes('select generation, head, hash')) return readHead;
    if (text.includes('set ahead =')) return () => [];
    throw new Error(`the simulation does not know this statement: ${text}`);
  };
  const sql = async (texts: readonly string[], ...values: never[]): Promise<object[]> => {
    const statement = findStatement(texts.join('?'));
    await time.wait(chance.wait(0, SLOWEST_MS));
    if (chance.is(FAILS_BEFORE)) throw new Error('the connection was lost');
    const rows = statement(...values);
    await time.wait(chance.wait(0, SLOWEST_MS));
    if (chance.is(FAILS_AFTER)) throw new Error('the connection was lost after the statement');
    return rows;
  };
  return Object.assign(Object.create(null), {
    sql,
    transaction: () => Promise.reject(new Error('no entry of the simulation is large')),
    confirm: (work: () => Promise<unknown>) => work(),
  });
}
