import type { Context } from 'koa';
import { Check } from 'typebox/value';
import { SvcError } from '../../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { JobCounts } from '../../../contract/schema/api/replies.ts';
import type { RunnerDirectory, RunnerReply } from '../../runners/runnerDirectory.ts';
import type { CallTeam, Person } from '../../server/cloudCall.ts';
import type { TeamJobPage } from '../list/readTeamJobs.ts';
import { nameRunners, toTeamJob } from '../list/toTeamJob.ts';
import { askForTeam, formatRunnerQuery } from './askForTeam.ts';
import { findNamedRunner, type FoundRunner } from './findRunner.ts';
import { watchReader } from './watchReader.ts';

/** Longest list of one runner that is read, bytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

interface ListCall {
  ctx: Context;
  team: CallTeam;
  person: Person;
  /** The runner, by id or name. */
  named: string;
}

interface RunnerList {
  runner: FoundRunner;
  value: unknown;
  headers: RunnerReply['headers'];
}

/** What one runner answers about its list, with the query of the caller. Throws SvcError `bad-argument` as it does. */
async function readRunnerList(
  directory: RunnerDirectory,
  path: string,
  { ctx, team, person, named }: ListCall,
): Promise<RunnerList> {
  const runner = await findNamedRunner({ directory }, team.id, named);
  const listRequest = { method: 'GET', path: `${path}${formatRunnerQuery(ctx)}` } as const;
  const request = { ctx, team, person, signal: watchReader(ctx) };
  const reply = await askForTeam(directory, runner, listRequest, request);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body) {
    bytes += part.length;
    if (bytes > MAX_LIST_BYTES) throw createListError(runner);
    parts.push(part);
  }
  const value = parseJsonOrNull(Buffer.concat(parts).toString('utf8'));
  if (reply.status === 400)
    throw new SvcError('bad-argument', String(Reflect.get(Object(value), 'detail')));
  if (reply.status !== 200) throw createListError(runner);
  return { runner, value, headers: reply.headers };
}

/** The list of one runner, as it answers it itself. */
export async function readRunnerJobs(
  directory: RunnerDirectory,
  call: ListCall,
): Promise<TeamJobPage> {
  const { runner, value, headers } = await readRunnerList(directory, '/jobs', call);
  if (!Array.isArray(value)) throw createListError(runner);
  const runners = nameRunners(await directory.list(call.team.id));
  const rows = value.filter((row) => typeof row === 'object' && row !== null);
  return {
    jobs: rows.map((summary) => toTeamJob({ runner_id: runner.id, summary }, runners)),
    total: Number(/^\d{1,15}$/.exec(headers['x-total-count'] ?? '')?.[0] ?? rows.length),
  };
}

/** The numbers of one runner, as it counts them itself. */
export async function readRunnerCounts(
  directory: RunnerDirectory,
  call: ListCall,
): Promise<JobCounts> {
  const { runner, value } = await readRunnerList(directory, '/jobs/counts', call);
  if (!Check(JobCounts, value)) throw createListError(runner);
  return value;
}

const createListError = ({ name }: FoundRunner): SvcError =>
  new SvcError('runner-away', `The runner ${name} has not answered with its list of jobs.`);
