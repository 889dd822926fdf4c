import type { ReceivedFrame } from '../../contract/channel/frames.ts';
import { CLOSE_CODES } from '../../contract/channel/closeCodes.ts';
import type { TransactionSql } from '../database/database.ts';
import type { EnteredHome } from '../runners/homeLinks.ts';
import type { RunnerRow } from '../runners/runnerRows.ts';
import { SessionRefusal } from '../runners/runnerSession.ts';
import { findHome, type HomeRow } from './homeRows.ts';
import { type Ahead, writeAhead } from './noteAhead.ts';
import { confirmRestored } from './noteRestore.ts';

/** What a file has that the log does not have; null = it is a beginning of the log, or continues it. */
export async function findAhead(
  sql: TransactionSql,
  { logId, generation, head, hash, entriesAfter, afterHash }: HomeRow,
  file: { generation: number; n: number; hash: string },
): Promise<Ahead | null> {
  if (file.generation > generation) return { n: file.n, generation: file.generation };
  if (file.n > head) return null;
  const places = [
    { n: head, hash },
    { n: entriesAfter, hash: afterHash },
  ];
  const knownPlace =
    places.find(({ n }) => n === file.n) ??
    (await sql`select hash from commits where log_id = ${logId} and n = ${file.n}`)[0];
  // Entries that are no longer kept are not compared.
  return knownPlace === undefined || knownPlace.hash === file.hash ? null : { n: file.n };
}

/**
 * Reads the log of a home whose runner connects, in the transaction that stores that it is connected. `takeoverMs`: the
 * window that this node is set to. Throws SessionRefusal `fenced` where the home is not the runner's.
 */
export async function enterHome(
  sql: TransactionSql,
  runner: RunnerRow,
  hello: ReceivedFrame<'hello'>,
  takeoverMs: number,
): Promise<EnteredHome | null> {
  // Read after the row of the runner was locked, which a claim locks too.
  const [running] = await sql`
    select adoptions.token_hash, runners.name from adoptions join runners on runners.id = adoptions.adopter_id
    where adoptions.runner_id = ${runner.id} and adoptions.state = 'running'`;
  if (running !== undefined && running.token_hash !== runner.tokenHash)
    throw new SessionRefusal(
      CLOSE_CODES.fenced,
      `The runner ${running.name} continues the home of this one.`,
    );
  if (runner.adoption !== null && running === undefined)
    throw new SessionRefusal(CLOSE_CODES.fenced, 'The home has not been claimed.');
  // It is back: a runner that prepares to continue its home is not needed.
  await sql`
    delete from adoptions where runner_id = ${runner.id} and state in ('offered', 'accepted')`;
  const home = await findHome(sql, runner.id);
  if (home === null) return null;
  const { generation, head, hash } = home;
  if (hello.home === undefined) await writeAhead(sql, runner.id, { isLocal: true });
  else {
    if (hello.home.generation < generation)
      throw new SessionRefusal(
        CLOSE_CODES.fenced,
        'Another process of this runner has claimed the home.',
      );
    const ahead = await findAhead(sql, home, hello.home);
    if (ahead !== null) await writeAhead(sql, runner.id, ahead);
    // Entries beyond the head may have been acknowledged before the database was restored.
    else if (home.ahead?.isRestored === true && hello.home.n <= head)
      await confirmRestored(sql, runner.id);
  }
  // A longer window counts at once; a shorter one when the runner has had the time to learn of it.
  if (home.takeoverMs < takeoverMs)
    await sql`update homes set takeover_ms = ${takeoverMs} where runner_id = ${runner.id}`;
  return { home: { generation, head, hash, takeoverMs, takesRows: true } };
}
