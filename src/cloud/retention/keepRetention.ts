import { ADVISORY_LOCKS } from '../database/advisoryLocks.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { createRetentionRules, type RetentionRule } from './retentionRules.ts';

/** Between two passes, ms. */
export const PASS_MS = 10 * 60_000;
/** Most rows that one statement deletes: it is over in milliseconds. */
export const STEP_ROWS = 500;

type RetentionContext = Pick<CloudContext, 'database' | 'clock' | 'log'>;

/** Deletes a little of what the rule no longer keeps. true = nothing was left, or another node is at it. */
const takeStep = (
  { database, clock }: RetentionContext,
  { keptMs, remove }: RetentionRule,
): Promise<boolean> =>
  database.transaction(async (sql) => {
    const [lock] = await sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.retention}) as held`;
    if (lock?.held !== true) return true;
    const { count } = await remove(sql, new Date(clock.now() - keptMs), STEP_ROWS);
    return count < STEP_ROWS;
  });

/** Deletes all that is no longer kept, in small steps. What fails of one rule holds up no other; it is tried in the next pass. */
export async function removeOldRows(
  context: RetentionContext,
  keptJobsDays: number,
  signal: AbortSignal,
): Promise<void> {
  for (const rule of createRetentionRules(keptJobsDays))
    try {
      while (!signal.aborted && !(await takeStep(context, rule)));
    } catch (err) {
      if (signal.aborted) return;
      context.log.warn({ err, rows: rule.name }, 'what is no longer kept could not be deleted');
    }
}

/** Does so now and again and again, until the returned function is called. */
export function keepRetention(
  context: RetentionContext,
  keptJobsDays: number,
): () => Promise<void> {
  const { clock } = context;
  const stopping = new AbortController();
  let cancel: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const pass = (): void => {
    running = removeOldRows(context, keptJobsDays, stopping.signal).then(() => {
      if (!stopping.signal.aborted) cancel = clock.at(clock.now() + PASS_MS, pass);
    });
  };
  pass();
  return async () => {
    stopping.abort();
    cancel();
    await running;
  };
}
