import { chainEntryHash } from '../../base/system/homes/chainEntryHash.ts';
import type { LogHead, RefusedEntries } from '../../contract/channel/frames.ts';
import type { Database, Sql, TransactionSql } from '../database/database.ts';
import { formatListRows, pickNewestRows } from '../runners/formatListRows.ts';
import type { ListedJobRow } from '../runners/runnerDirectory.ts';

/** Bytes of an entry's body above which it is stored in parts of this size. */
export const ENTRY_PART_BYTES = 8 * 1024 * 1024;

/** An entry as it came. */
export interface ReceivedEntry {
  n: number;
  generation: number;
  hash: string;
  body: Uint8Array;
  /** Rows of the list that it has changed; left out = it came without them. */
  jobs?: readonly ListedJobRow[];
}

/** The entry before: what the next one must follow. */
export interface ChainPlace {
  n: number;
  hash: string;
}

export type StoredEntries =
  /** They are in the log, now or since before. */
  { kind: 'stored' } | { kind: 'refused'; n: number; reason: RefusedEntries; home: LogHead };

/** The first entry whose bytes do not fit its hash; undefined = all do. */
export function findBrokenEntry(
  place: ChainPlace,
  entries: readonly ReceivedEntry[],
): ReceivedEntry | undefined {
  let { hash } = place;
  return entries.find((entry) => {
    const fits = chainEntryHash(hash, entry) === entry.hash;
    hash = entry.hash;
    return !fits;
  });
}

/**
 * Stores entries that follow each other, all of one generation, all or none, with their rows of the list, in one
 * statement: a compare-and-set of generation and newest entry. true = it did. `inParts`: the body is stored beside it.
 * The rows get no number of the team's list here: that would make the homes of a team wait for each other.
 */
export async function moveHead(
  sql: Sql | TransactionSql,
  runnerId: string,
  { n, hash }: ChainPlace,
  entries: readonly ReceivedEntry[],
  { at, inParts }: { at: Date; inParts: boolean },
): Promise<boolean> {
  const last = entries.at(-1);
  if (last === undefined) return true;
  let start = 1;
  const rows = entries.map((entry) => {
    const { length } = entry.body;
    start += length;
    return { n: entry.n, hash: entry.hash, size: length, start: start - length };
  });
  const bodies = inParts ? null : Buffer.concat(entries.map(({ body }) => body));
  const lacksRows = entries.some(({ jobs }) => jobs === undefined);
  const listRows = pickNewestRows(
    entries.flatMap(({ n: entry, jobs = [] }) => jobs.map((job) => ({ row: job, entry }))),
  );
  const [row] = await sql`
    with moved as (
      update homes set head = ${last.n}, hash = ${last.hash}, committed_at = ${at}, listed_n = ${last.n},
        unlisted_at = case when ${lacksRows}::boolean then ${at} else unlisted_at end
      where runner_id = ${runnerId} and generation = ${last.generation} and head = ${n} and hash = ${hash}
      returning log_id, team_id
    ), stored as (
      insert into commits (log_id, n, generation, hash, size, body, at)
      select log_id, entry.n, ${last.generation}, entry.hash, entry.size,
        substr(${bodies}::bytea, entry.start, entry.size), ${at}
      from moved, jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as entry (n bigint, hash text, size int, start int)
    ), listed as (
      insert into jobs (team_id, runner_id, job_id, change, summary, status, type, title, repo, parent_job_id,
        campaign_parent_id, needs_person, created_at, updated_at, search, log_id, entry, is_unnumbered)
      select team_id, ${runnerId}, id, 0, summary, status, type, title, repo, parent, parent, needs, created, updated,
        search, log_id, entry, true
      from moved, jsonb_to_recordset(${formatListRows(listRows)}::text::jsonb) as given (id text, summary jsonb, status text,
        type text, title text, repo text, parent text, needs boolean, created timestamptz, updated timestamptz, search text,
        entry bigint)
      on conflict (team_id, runner_id, job_id) do update set summary = excluded.summary, status = excluded.status,
        type = excluded.type, title = excluded.title, repo = excluded.repo, parent_job_id = excluded.parent_job_id,
        campaign_parent_id = excluded.campaign_parent_id, needs_person = excluded.needs_person,
        created_at = excluded.created_at, updated_at = excluded.updated_at, search = excluded.search,
        log_id = excluded.log_id, entry = excluded.entry,
        is_unnumbered = jobs.is_unnumbered or jobs.summary is distinct from excluded.summary
      where (jobs.log_id = excluded.log_id and jobs.entry > excluded.entry) is not true
    )
    select count(*) as moved from moved`;
  return Number(row?.moved) === 1;
}

/** One that is too large for a row: its parts, and then the statement, together. */
const moveHeadInParts = (
  database: Pick<Database, 'transaction'>,
  runnerId: string,
  place: ChainPlace,
  entry: ReceivedEntry,
  at: Date,
): Promise<boolean> =>
  database.transaction(async (sql) => {
    // First, so that the rest is written for an entry that will be taken.
    if (!(await moveHead(sql, runnerId, place, [entry], { at, inParts: true }))) return false;
    for (let from = 0, part = 0; from < entry.body.length; from += ENTRY_PART_BYTES, part += 1) {
      const body = Buffer.from(entry.body.subarray(from, from + ENTRY_PART_BYTES));
      await sql`
        insert into commit_parts (log_id, n, part, body)
        select log_id, ${entry.n}, ${part}, ${body}::bytea from homes where runner_id = ${runnerId}`;
    }
    return true;
  });

/**
 * Why entries could not be stored. Those that are in the log already are acknowledged, and only by a statement that
 * writes: its commit waits for the standby as theirs did, whose wait may have been given up.
 */
async function classifyRefusedEntries(
  sql: Sql,
  runnerId: string,
  entries: readonly ReceivedEntry[],
): Promise<StoredEntries> {
  const first = entries[0];
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return { kind: 'stored' };
  const [known] = await sql`
    update homes set head = head where runner_id = ${runnerId} and exists (
      select from commits where commits.log_id = homes.log_id and n = ${last.n} and hash = ${last.hash})
    returning 1`;
  if (known !== undefined) return { kind: 'stored' };
  const [home] = await sql<LogHead[]>`
    select generation, head, hash from homes where runner_id = ${runnerId}`;
  if (home === undefined)
    return {
      kind: 'refused',
      n: first.n,
      reason: 'gap',
      home: { generation: 0, head: 0, hash: '0'.repeat(64) },
    };
  // A claim that is newer than any that is known here: this database was restored to the past.
  const reason = home.generation > last.generation ? 'fenced' : 'gap';
  return { kind: 'refused', n: first.n, reason, home: { ...home } };
}

/**
 * Stores entries that follow each other and `place`. What was stored before, by whichever socket or node, counts once.
 * Rejects where the outcome is not known: they may be in the log or not, and are sent again.
 */
export function storeEntries(
  database: Pick<Database, 'sql' | 'transaction' | 'confirm'>,
  runnerId: string,
  place: ChainPlace,
  entries: readonly ReceivedEntry[],
  at: Date,
): Promise<StoredEntries> {
  return database.confirm(async () => {
    const [first] = entries;
    // Without it, the compare-and-set would take any entry for the next one.
    if (!entries.every(({ n }, index) => n === place.n + 1 + index))
      return classifyRefusedEntries(database.sql, runnerId, entries);
    const isLarge = entries.length === 1 && first !== undefined && isInParts(first);
    const moved = isLarge
      ? await moveHeadInParts(database, runnerId, place, first, at)
      : await moveHead(database.sql, runnerId, place, entries, { at, inParts: false });
    return moved ? { kind: 'stored' } : classifyRefusedEntries(database.sql, runnerId, entries);
  });
}

export const isInParts = ({ body }: Pick<ReceivedEntry, 'body'>): boolean =>
  body.length > ENTRY_PART_BYTES;
