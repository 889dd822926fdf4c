import { chainEntryHash } from '../../../src/base/system/homes/chainEntryHash.ts';
import { readFileStanding } from '../../../src/kernel/sqlite/log/fileStanding.ts';
import { openPatiently } from './openPatiently.ts';

export interface StoredEntry {
  n: number;
  generation: number;
  hash: string;
  body: Buffer;
}

export interface StoredLog {
  generation: number;
  head: number;
  hash: string;
  /** Entries up to this one are not kept any more. */
  after: { n: number; hash: string };
  entries: StoredEntry[];
}

/** What PostgreSQL has of the log of a home. */
export async function readStoredLog(databaseUrl: string, homeId: string): Promise<StoredLog> {
  const { sql, close } = await openPatiently(databaseUrl);
  try {
    const [home] = await sql`
      select log_id::text as log, generation::int, head::int, hash, entries_after::int as after, after_hash
      from homes where home_id = ${homeId}`;
    if (home === undefined) throw new Error('the control plane has no log');
    const rows = await sql`
      select n::int, generation::int, hash, coalesce(body, (
        select string_agg(parts.body, ''::bytea order by part) from commit_parts parts
        where parts.log_id = commits.log_id and parts.n = commits.n)) as body
      from commits where log_id = ${home.log} order by n`;
    return {
      generation: home.generation,
      head: home.head,
      hash: home.hash,
      after: { n: home.after, hash: home.after_hash },
      entries: rows.map(({ n, generation, hash, body }) => ({ n, generation, hash, body })),
    };
  } finally {
    await close();
  }
}

/**
 * Whether a stopped home has entries that PostgreSQL does not have: a stop waits no longer than its grace, and the next
 * start sends them.
 */
export async function hasUnsentEntries(
  stateDb: string,
  databaseUrl: string,
  homeId: string,
): Promise<boolean> {
  const { head } = await readStoredLog(databaseUrl, homeId);
  return (readFileStanding(stateDb)?.position?.n ?? 0) > head;
}

/** What is wrong with a stored log; empty = nothing. */
export function findLogProblems({ head, hash, after, entries }: StoredLog): string[] {
  const problems: string[] = [];
  let at = after;
  let generation = 0;
  for (const entry of entries) {
    if (entry.n <= after.n) continue;
    if (entry.n !== at.n + 1) problems.push(`entry ${entry.n} follows ${at.n}`);
    if (entry.generation < generation) problems.push(`the generation falls at entry ${entry.n}`);
    if (chainEntryHash(at.hash, entry) !== entry.hash)
      problems.push(`the hash of entry ${entry.n} is wrong`);
    at = entry;
    generation = entry.generation;
  }
  if (at.n !== head || at.hash !== hash)
    problems.push(`the head is ${head}, the last entry ${at.n}`);
  return problems;
}
