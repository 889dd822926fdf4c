import type { jobRoutes } from '../../../contract/routes/jobRoutes.ts';
import type { Handlers } from '../handler.ts';
import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import {
  DEFAULT_JOBS,
  type JobCountsQuery,
  type StreamQuery,
} from '../../../contract/schema/api/queries.ts';
import { JobsFeed } from '../streams/jobsFeed.ts';
import { JobStream } from '../streams/jobStream.ts';
import { DEPRECATED_SINCE, isOwnClient } from '../replies/headers.ts';
import { openStream } from '../streams/openStream.ts';
import { addWaitingLayerNote } from '../replies/addWaitingLayerNote.ts';
import { sendArtefact } from '../replies/sendArtefact.ts';
import { Readable } from 'node:stream';
import { abortWhenClientGone } from '../streams/abortWhenClientGone.ts';

/**
 * The number after which to begin. A reconnecting browser sends the first request's query again, so
 * the header wins.
 */
function readStreamStart(ctx: Context, query: StreamQuery, lastFrame: number): number {
  const lastRead = ctx.get('Last-Event-ID');
  if (lastRead !== '') {
    if (!/^\d{1,15}$/.test(lastRead))
      throw new SvcError(
        'bad-argument',
        'Last-Event-ID must be the number of a frame in this stream.',
      );
    return Number(lastRead);
  }
  if (query.tail === undefined) return query.after ?? 0;
  if (query.after !== undefined)
    throw new SvcError('bad-argument', 'Give after or tail, not both.');
  return Math.max(0, lastFrame - query.tail);
}

/** The filter of the query; what only an older client sends is pointed out. */
function parseJobFilter<Query extends JobCountsQuery>(
  query: Query,
  ctx: Context,
): Query & { own?: boolean } {
  const { parentJobId, campaignParentId, search, q = search } = query;
  if (
    parentJobId !== undefined &&
    campaignParentId !== undefined &&
    parentJobId !== campaignParentId
  ) {
    throw new SvcError(
      'bad-argument',
      'parentJobId and its older name campaignParentId name different jobs; send only one.',
    );
  }
  if (campaignParentId !== undefined) ctx.set('Deprecation', DEPRECATED_SINCE);
  return {
    ...query,
    ...(q === undefined ? {} : { q }),
    ...(isOwnClient(ctx) ? { own: true } : {}),
  };
}

export const jobHandlers = {
  jobsStream({ ctx }, { runner, clock, streams }) {
    if (ctx.method !== 'HEAD') streams.admit();
    openStream(ctx);
    if (ctx.method === 'HEAD') return;
    ctx.respond = false;
    new JobsFeed({ runner, clock, streams, res: ctx.res }).start();
  },
  stream({ params: { jobId }, query, ctx }, { runner, clock, streams }) {
    const last = runner.readLastFrame(jobId);
    const after = readStreamStart(ctx, query, last);
    const until = query.follow === undefined ? null : last;
    if (ctx.method !== 'HEAD') streams.admit();
    openStream(ctx);
    if (ctx.method === 'HEAD') return;
    ctx.respond = false;
    new JobStream({ runner, clock, streams, jobId, after, until, res: ctx.res }).start();
  },
  async createJob({ body, requestKey, person, ctx }, { runner, config }) {
    const created = await runner
      .createJob(body, requestKey, person)
      .catch(async (error: unknown) => {
        throw await addWaitingLayerNote(error, config);
      });
    ctx.set('Location', `/jobs/${created.jobId}`);
    return created;
  },
  estimateJob: ({ body }, { runner, config }) =>
    runner.estimateJob(body).catch(async (error: unknown) => {
      throw await addWaitingLayerNote(error, config);
    }),
  jobs: ({ query, ctx }, { runner }) =>
    runner.jobs({ limit: DEFAULT_JOBS, offset: 0, ...parseJobFilter(query, ctx) }),
  jobCounts: ({ query, ctx }, { runner }) => runner.jobCounts(parseJobFilter(query, ctx)),
  artefact: async ({ params, ctx }, { runner }) =>
    sendArtefact(ctx, await runner.artefact(params.jobId, params.artifactId)),
  log({ params, query }, { runner }) {
    if (query.from !== undefined && query.before !== undefined)
      throw new SvcError('bad-argument', 'Give from or before, not both.');
    return runner.log(params.jobId, query);
  },
  searchLog({ params, query, ctx }, { runner }) {
    if (query.q === undefined && query.level === undefined)
      throw new SvcError('bad-argument', 'Give q, level, or both.');
    return runner.searchLog(params.jobId, query, abortWhenClientGone(ctx));
  },
  logText({ params, ctx }, { runner }) {
    const { jobId } = params;
    const lines = runner.logText(jobId, abortWhenClientGone(ctx));
    ctx.attachment(`${jobId}.log`);
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = ctx.method === 'HEAD' ? '' : Readable.from(lines);
  },
} satisfies Handlers<typeof jobRoutes>;
