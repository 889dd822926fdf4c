import type Koa from 'koa';
import { SvcError } from '../../lib/errors.ts';
import { CreatedJob, CreateJobBody } from '../../schema/bodies.ts';
import { Job } from '../../schema/job.ts';
import { DEFAULT_JOBS, JobsQuery } from '../../schema/queries.ts';
import { JobList } from '../../schema/replies.ts';
import { DEPRECATED_SINCE } from '../headers.ts';
import { jsonRoute } from '../route.ts';

/** Neighbours of a page, with the filters that were asked for. */
function pageLinks(ctx: Koa.Context, limit: number, offset: number, total: number): string {
  const link = (at: number, rel: string) => {
    const query = new URLSearchParams(ctx.querystring);
    query.set('limit', String(limit));
    query.set('offset', String(at));
    return `<${ctx.path}?${query}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (offset + limit < total) links.push(link(offset + limit, 'next'));
  if (offset > 0) links.push(link(Math.max(0, offset - limit), 'prev'));
  return links.join(', ');
}

export const jobRoutes = [
  jsonRoute({
    name: 'createJob',
    method: 'POST',
    path: '/jobs',
    summary: 'Makes a job and queues it.',
    body: CreateJobBody,
    status: 201,
    reply: CreatedJob,
    refusals: ['not-found', 'conflict', 'workflow-invalid', 'stopping', 'store-failed'],
    async handle({ body, requestKey, ctx }, { runner }) {
      const created = await runner.createJob(body, requestKey);
      ctx.set('Location', `/jobs/${created.jobId}`);
      return created;
    },
  }),
  jsonRoute({
    name: 'jobs',
    method: 'GET',
    path: '/jobs',
    summary: 'Jobs, newest first. X-Total-Count says how many there are; Link leads to the pages before and after.',
    query: JobsQuery,
    reply: JobList,
    refusals: [],
    handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_JOBS, offset = 0, ...filter } = query;
      const { parentJobId, campaignParentId } = filter;
      if (parentJobId !== undefined && campaignParentId !== undefined && parentJobId !== campaignParentId) {
        throw new SvcError(
          'bad-argument',
          'parentJobId and its older name campaignParentId name different jobs; send one of them.',
        );
      }
      if (campaignParentId !== undefined) ctx.set('Deprecation', DEPRECATED_SINCE);
      const { jobs, total } = runner.jobs({ ...filter, limit, offset });
      ctx.set('X-Total-Count', String(total));
      const links = pageLinks(ctx, limit, offset, total);
      if (links !== '') ctx.set('Link', links);
      return jobs;
    },
  }),
  jsonRoute({
    name: 'job',
    method: 'GET',
    path: '/jobs/:jobId',
    summary: 'One job, whole.',
    reply: Job,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.job(params.jobId),
  }),
];
