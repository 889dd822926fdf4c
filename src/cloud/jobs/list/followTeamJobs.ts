import type { Clock } from '../../../base/time/clock.ts';
import type { Database } from '../../database/database.ts';
import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import type { TeamChanges } from './teamChanges.ts';
import { nameRunners, toTeamJob } from './toTeamJob.ts';

/** Between two signs of life, ms; whether the reader may still read is checked as often. */
const HEARTBEAT_MS = 15_000;
/** After how long a reader that was cut off comes back, ms. */
const RETRY_MS = 1_000;
/** Rows that are read at once. */
const PAGE = 200;

export interface FollowParts {
  database: Pick<Database, 'sql'>;
  directory: Pick<RunnerDirectory, 'list'>;
  changes: TeamChanges;
  /** Aborted when the node stops. */
  leaving: AbortSignal;
  clock: Clock;
}

export interface Follower {
  teamId: string;
  /** The number after which to begin; null = what changes from now on. */
  after: number | null;
  /** The reader has left. */
  gone: AbortSignal;
  mayRead(): Promise<boolean>;
}

/** The number of the last change of a team's list. */
export async function readLastChange(
  { sql }: Pick<Database, 'sql'>,
  teamId: string,
): Promise<number> {
  const [row] = await sql`select last_job_change from teams where id = ${teamId}`;
  return Number(row?.last_job_change ?? 0);
}

/** The changes of a team's list as server-sent events, numbered, until one side leaves. */
export async function* followTeamJobs(
  { database, directory, changes, leaving, clock }: FollowParts,
  { teamId, after, gone, mayRead }: Follower,
): AsyncGenerator<string> {
  const { sql } = database;
  const first = await readLastChange(database, teamId);
  // A larger number was never given out: it is of another database.
  let at = after === null || after > first ? first : after;
  let beatAt = clock.now();
  const stop = AbortSignal.any([gone, leaving]);
  yield `retry: ${RETRY_MS}\nid: ${at}\n\n`;
  while (!stop.aborted) {
    const last = await readLastChange(database, teamId);
    const rows = await sql`
      select change, runner_id, summary from jobs where team_id = ${teamId} and change > ${at}
      order by change limit ${PAGE}`;
    const runnerNames = rows.length > 0 ? nameRunners(await directory.list(teamId)) : new Map();
    for (const { change, runner_id, summary } of rows) {
      at = Number(change);
      const job = JSON.stringify(toTeamJob({ runner_id, summary }, runnerNames));
      yield `id: ${at}\nevent: job\ndata: ${job}\n\n`;
    }
    if (rows.length === PAGE) continue;
    // Numbers without a row are of jobs that changed again, or are gone.
    at = Math.max(at, last);
    await changes.wait(teamId, at, Math.max(0, beatAt + HEARTBEAT_MS - clock.now()), stop);
    if (clock.now() - beatAt < HEARTBEAT_MS) continue;
    beatAt = clock.now();
    if (!(await mayRead())) return;
    yield ': still here\n\n';
  }
  if (leaving.aborted && !gone.aborted)
    yield `event: bye\ndata: ${JSON.stringify({ reason: 'stopping' })}\n\n`;
}
