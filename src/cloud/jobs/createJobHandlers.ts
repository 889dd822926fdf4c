import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { hasRole } from '../../contract/schema/cloud/teamRole.ts';
import type { jobRoutes } from '../routes/jobRoutes.ts';
import type { RunnerDirectory } from '../runners/runnerDirectory.ts';
import type { CloudHandlers } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { findMembership } from '../server/gates/findMembership.ts';
import { awaitDispatch, createDispatch, type DispatchParts } from './dispatches/createDispatch.ts';
import { toDispatch } from './dispatches/dispatchRow.ts';
import { cancelDispatch, giveUpDispatch, readDispatch } from './dispatches/endDispatch.ts';
import { listDispatches } from './dispatches/listDispatches.ts';
import { followTeamJobs } from './list/followTeamJobs.ts';
import { countTeamJobs } from './list/countTeamJobs.ts';
import { readTeamInbox, readTeamJobs } from './list/readTeamJobs.ts';
import type { TeamChanges } from './list/teamChanges.ts';
import { nameRunners } from './list/toTeamJob.ts';
import { readRunnerCounts, readRunnerJobs } from './proxy/readRunnerList.ts';
import { TEAM_OPERATIONS } from './proxy/teamOperations.ts';
import { watchReader } from './proxy/watchReader.ts';

interface JobHandlerParts extends DispatchParts {
  context: CloudContext;
  directory: RunnerDirectory;
  changes: TeamChanges;
}

/** The number after which a stream begins; null = what changes from now on. */
function readLastEventId(ctx: Context): number | null {
  const text = ctx.get('Last-Event-ID');
  if (text === '') return null;
  if (!/^\d{1,15}$/.test(text))
    throw new SvcError('bad-argument', 'Last-Event-ID must be the number of an event.');
  return Number(text);
}

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
      const readerGone = watchReader(ctx);
      const request = { teamId: team.id, person, body, requestKey: requestKey?.key };
      const id = await createDispatch(parts, request);
      const answer = await awaitDispatch(parts, team, id, readerGone);
      if ('made' in answer) return answer.made;
      ctx.status = 202;
      return answer.pending;
    },
    teamJobs: ({ team, person, query, ctx }) =>
      query.runner === undefined
        ? readTeamJobs(lists, team.id, query)
        : readRunnerJobs(directory, { ctx, team, person, named: query.runner }),
    teamJobCounts: ({ team, person, query, ctx }) =>
      query.runner === undefined
        ? countTeamJobs(database, team.id, query)
        : readRunnerCounts(directory, { ctx, team, person, named: query.runner }),
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
