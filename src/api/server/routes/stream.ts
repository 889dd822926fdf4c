import type Koa from 'koa';
import { SvcError } from '../../../shared/errors/errors.ts';
import { StreamQuery } from '../../../contract/schema/api/queries.ts';
import { JobsFeed } from '../streams/jobsFeed.ts';
import { JobStream } from '../streams/jobStream.ts';
import { defineRawRoute } from '../route.ts';

/**
 * The number after which to begin. A reconnecting browser sends the first request's query again, so
 * the header wins.
 */
function readStreamStart(ctx: Koa.Context, query: StreamQuery, lastFrame: number): number {
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

/** Sends the headers of a reply that does not end. */
export function openStream(ctx: Koa.Context): void {
  ctx.body = '';
  ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  ctx.remove('Content-Length');
}

export const streamRoutes = [
  // Before the routes of one job in the table: no job has this id.
  defineRawRoute({
    name: 'jobsStream',
    access: 'read',
    method: 'GET',
    path: '/jobs/stream',
    summary:
      'Server-sent events `job`: the summary of each job that changes. Open it first, then read GET /jobs: nothing is missed.',
    mime: 'text/event-stream',
    refusals: ['busy'],
    handle({ ctx }, { runner, clock, streams }) {
      if (ctx.method !== 'HEAD') streams.admit();
      openStream(ctx);
      if (ctx.method === 'HEAD') return;
      ctx.respond = false;
      new JobsFeed({ runner, clock, streams, res: ctx.res }).start();
    },
  }),
  defineRawRoute({
    name: 'stream',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId/stream',
    summary:
      'Server-sent events log, state, usage, artefact, gap and bye. Last-Event-ID resumes the stream without a gap.',
    query: StreamQuery,
    mime: 'text/event-stream',
    refusals: ['not-found', 'bad-argument', 'busy'],
    handle({ params: { jobId }, query, ctx }, { runner, clock, streams }) {
      const last = runner.lastFrame(jobId);
      const after = readStreamStart(ctx, query, last);
      const until = query.follow === undefined ? null : last;
      if (ctx.method !== 'HEAD') streams.admit();
      openStream(ctx);
      if (ctx.method === 'HEAD') return;
      ctx.respond = false;
      new JobStream({ runner, clock, streams, jobId, after, until, res: ctx.res }).start();
    },
  }),
];
