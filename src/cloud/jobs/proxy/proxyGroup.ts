import type { Clock } from '../../../base/time/clock.ts';
import { hasRole } from '../../../contract/schema/cloud/teamRole.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { AnyCloudCall, CallTeam, Person, RouteGroup } from '../../server/cloudCall.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { findMembership } from '../../server/gates/findMembership.ts';
import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import { readShortReply } from '../../runners/readShortReply.ts';
import { sendRunnerReply } from '../../runners/sendRunnerReply.ts';
import { toRunnerOfJob, toTeamJob } from '../list/toTeamJob.ts';
import { askForTeam, buildRunnerPath, formatRunnerQuery } from './askForTeam.ts';
import {
  findAnyRunner,
  findNamedRunner,
  findOnlyRunner,
  findRunnerOfJob,
  type FoundRunner,
} from './findRunner.ts';
import { JobPlaces } from './jobPlaces.ts';
import { findTeamOperation, type TeamOperation, teamRoutesOfRunner } from './teamOperations.ts';
import { watchReader } from './watchReader.ts';

/** Names the runner that has answered, by its id. */
const RUNNER_HEADER = 'X-Svc-Runner';
/** Wait between two checks of the right to read a stream, ms. */
const RECHECK_MS = 15_000;

export interface ProxyParts {
  context: CloudContext;
  directory: RunnerDirectory;
  /** Aborted when the node stops. */
  leaving: AbortSignal;
}

interface ProxyCall extends AnyCloudCall {
  person: Person;
  team: CallTeam;
}

function findRunner(
  parts: ProxyParts,
  places: JobPlaces,
  { asked }: TeamOperation,
  { team, person, params, query }: ProxyCall,
): Promise<FoundRunner> {
  const runnerParameter: unknown = Reflect.get(Object(query), 'runner');
  if (typeof runnerParameter === 'string') return findNamedRunner(parts, team.id, runnerParameter);
  if (asked === 'of-job') {
    const jobId = String(params.jobId);
    return places.find(team.id, jobId, () => findRunnerOfJob(parts, team.id, jobId));
  }
  return asked === 'any'
    ? findAnyRunner(parts, team.id, person.userId)
    : findOnlyRunner(parts, team.id);
}

/** The row of the list for a job whose runner is away; null = the list does not have it. */
async function readListedJob(
  { context: { database }, directory }: ProxyParts,
  teamId: string,
  { id }: FoundRunner,
  jobId: string,
): Promise<object | null> {
  const [row] = await database.sql`
    select runner_id, summary from jobs where team_id = ${teamId} and runner_id = ${id} and job_id = ${jobId}`;
  if (row === undefined) return null;
  const knownRunner = (await directory.list(teamId)).find((runner) => runner.id === id);
  const runnerNames = new Map(knownRunner === undefined ? [] : [[id, toRunnerOfJob(knownRunner)]]);
  return toTeamJob({ runner_id: row.runner_id, summary: row.summary }, runnerNames);
}

/** Aborts when the person is no longer in the team with the role; a stream may last for days. */
function watchMembership(
  { context: { database, clock } }: { context: CloudContext },
  { team, person }: ProxyCall,
  role: TeamOperation['role'],
  sessionEnded: AbortSignal,
): AbortSignal {
  const accessLost = new AbortController();
  let cancel: () => void = () => undefined;
  const look = (): void => {
    cancel = lookLater(clock, async () => {
      const now = await findMembership(database, person.userId, team.id).catch(() => team);
      if (now === null || !hasRole(now.role, role)) accessLost.abort();
      else if (!sessionEnded.aborted) look();
    });
  };
  look();
  sessionEnded.addEventListener('abort', () => cancel(), { once: true });
  return accessLost.signal;
}

const lookLater = (clock: Clock, look: () => Promise<void>): (() => void) =>
  clock.at(clock.now() + RECHECK_MS, () => void look());

/** The runner's routes below a team: each request goes to a runner, and its reply comes back as it is. */
export function createProxyGroup(parts: ProxyParts): RouteGroup {
  const { directory, leaving } = parts;
  const places = new JobPlaces(parts.context.clock);

  async function proxy(operation: TeamOperation, call: ProxyCall): Promise<void> {
    const { ctx, team, person, params } = call;
    const { route, role } = operation;
    const runner = await findRunner(parts, places, operation, call);
    const readerGone = watchReader(ctx);
    const isStream = route.kind === 'events';
    const signal = isStream
      ? AbortSignal.any([readerGone, leaving, watchMembership(parts, call, role, readerGone)])
      : readerGone;
    const path = `${buildRunnerPath(route.path, params)}${formatRunnerQuery(ctx)}`;
    const method = ctx.method === 'HEAD' ? 'HEAD' : route.method;
    ctx.set(RUNNER_HEADER, runner.id);
    try {
      const request = { ctx, team, person, signal };
      const reply = await askForTeam(directory, runner, { method, path }, request);
      const isDownload = route.kind === 'bytes';
      const runnerReply =
        route.kind === 'json' && method !== 'HEAD' ? await readShortReply(reply) : reply;
      sendRunnerReply(ctx, runnerReply, { prefix: `/teams/${team.slug}`, isDownload });
    } catch (error) {
      if (route.name !== 'job' || !isAway(error)) throw error;
      const listedJob = await readListedJob(parts, team.id, runner, String(params.jobId));
      if (listedJob === null) throw error;
      ctx.body = JSON.stringify(listedJob);
      ctx.type = 'application/json';
    }
  }

  return {
    routes: teamRoutesOfRunner,
    answer({ name }, call) {
      const { person, team } = call;
      if (person === null || team === null)
        throw new Error('The gate has let a request through that has no caller.');
      return proxy(findTeamOperation(name), { ...call, person, team });
    },
  };
}

const isAway = (error: unknown): boolean =>
  error instanceof SvcError && error.code === 'runner-away';
