import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { hasRole } from '../../contract/schema/cloud/teamRole.ts';
import type { jobRoutes } from '../routes/jobRoutes.ts';
import type { RunnerDirectory } from '../runners/runnerDirectory.ts';
import type { CallTeam, CloudHandlers, Person } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { findMembership } from '../server/gates/findMembership.ts';
import { awaitDispatch, createDispatch, type DispatchParts } from './dispatches/createDispatch.ts';
import { toDispatch } from './dispatches/dispatchRow.ts';
import { cancelDispatch, giveUpDispatch, readDispatch } from './dispatches/endDispatch.ts';
import { listDispatches } from './dispatches/listDispatches.ts';
import { followTeamJobs } from './list/followTeamJobs.ts';
import { readTeamInbox, readTeamJobs, type TeamJobPage } from './list/readTeamJobs.ts';
import type { TeamChanges } from './list/teamChanges.ts';
import { nameRunners, toTeamJob } from './list/toTeamJob.ts';
import { askForTeam, formatRunnerQuery } from './proxy/askForTeam.ts';
import { findNamedRunner } from './proxy/findRunner.ts';
import { TEAM_OPERATIONS } from './proxy/teamOperations.ts';

interface JobHandlerParts extends DispatchParts {
  context: CloudContext;
  directory: RunnerDirectory;
  changes: TeamChanges;
}

/** Longest list of one runner that is read, bytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

function watchReader({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}

/** The number after which a stream begins; null = what changes from now on. */
function readLastEventId(ctx: Context): number | null {
  const text = ctx.get('Last-Event-ID');
  if (text === '') return null;
  if (!/^\d{1,15}$/.test(text))
    throw new SvcError('bad-argument', 'Last-Event-ID must be the number of an event.');
  return Number(text);
}

/** The list of one runner, as it answers it itself. */
async function readRunnerJobs(
  { directory }: JobHandlerParts,
  { ctx, team, person, named }: { ctx: Context; team: CallTeam; person: Person; named: string },
): Promise<TeamJobPage> {
  const runner = await findNamedRunner({ directory }, team.id, named);
  const request = { ctx, team, person, signal: watchReader(ctx) };
  const path = `/jobs${formatRunnerQuery(ctx)}`;
  const reply = await askForTeam(directory, runner, { method: 'GET', path }, request);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body) {
    bytes += part.length;
    if (bytes > MAX_LIST_BYTES) throw createListError(runner.name);
    parts.push(part);
  }
  const value = parseJsonOrNull(Buffer.concat(parts).toString('utf8'));
  if (reply.status === 400)
    throw new SvcError('bad-argument', String(Reflect.get(Object(value), 'detail')));
  if (reply.status !== 200 || !Array.isArray(value)) throw createListError(runner.name);
  const runners = nameRunners(await directory.list(team.id));
  const rows = value.filter((row) => typeof row === 'object' && row !== null);
  return {
    jobs: rows.map((summary) => toTeamJob({ runner_id: runner.id, summary }, runners)),
    total: Number(/^\d{1,15}$/.exec(reply.headers['x-total-count'] ?? '')?.[0] ?? rows.length),
  };
}

const createListError = (name: string): SvcError =>
  new SvcError('runner-away', `The runner ${name} has not answered with its list of jobs.`);

export function createJobHandlers(parts: JobHandlerParts): CloudHandlers<typeof jobRoutes> {
  const { context, directory, dispatcher } = parts;
  const { database } = context;
  const lists = { database, directory };
  const show = async (teamId: string, dispatchId: string) =>
    toDispatch(
      await readDispatch(context, teamId, dispatchId),
      nameRunners(await directory.list(teamId)),
    );
  return {
    async createTeamJob({ team, person, body, requestKey, ctx }) {
      const gone = watchReader(ctx);
      const request = { teamId: team.id, person, body, requestKey: requestKey?.key };
      const id = await createDispatch(parts, request);
      const answer = await awaitDispatch(parts, team, id, gone);
      if ('made' in answer) return answer.made;
      ctx.status = 202;
      return answer.pending;
    },
    teamJobs: ({ team, person, query, ctx }) =>
      query.runner === undefined
        ? readTeamJobs(lists, team.id, query)
        : readRunnerJobs(parts, { ctx, team, person, named: query.runner }),
    teamJobsStream({ team, person, ctx }) {
      const after = readLastEventId(ctx);
      ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      if (ctx.method === 'HEAD') return;
      const { changes, leaving } = parts;
      const events = followTeamJobs(
        { ...lists, changes, leaving, clock: context.clock },
        {
          teamId: team.id,
          after,
          gone: watchReader(ctx),
          mayRead: async () => {
            const now = await findMembership(database, person.userId, team.id);
            return now !== null && hasRole(now.role, 'viewer');
          },
        },
      );
      ctx.body = Readable.from(events, { objectMode: false });
      // After the body, which would choose a type itself.
      ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
    },
    teamInbox: ({ team, query }) => readTeamInbox(lists, team.id, query),
    dispatches: ({ team, query }) => listDispatches(lists, team.id, query),
    dispatch: ({ team, params }) => show(team.id, params.dispatchId),
    async cancelDispatch({ team, person, params: { dispatchId } }) {
      await cancelDispatch(context, { team, person, dispatchId });
      dispatcher.wake();
      return show(team.id, dispatchId);
    },
    async giveUpDispatch({ team, person, params: { dispatchId } }) {
      await giveUpDispatch(context, { team, person, dispatchId });
      const dispatch = await show(team.id, dispatchId);
      const where = dispatch.runner?.name ?? 'a runner that was removed';
      return {
        ...dispatch,
        warning: `The job may exist on ${where}: the request was sent, and no answer came. Check the list of jobs when the runner is back.`,
      };
    },
    surface: ({ team }) => ({
      role: team.role,
      operations: TEAM_OPERATIONS.map(({ route: { name, method, path }, role, asked }) => ({
        name,
        method,
        path,
        role,
        allowed: hasRole(team.role, role),
        runner: asked,
      })),
    }),
  };
}
