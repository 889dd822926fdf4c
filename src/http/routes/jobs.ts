import { SvcError } from '../../lib/errors.ts';
import { CreatedJob, CreateJobBody } from '../../schema/bodies.ts';
import { Job } from '../../schema/job.ts';
import { DEFAULT_JOBS, JobsQuery } from '../../schema/queries.ts';
import { JobList } from '../../schema/replies.ts';
import { DEPRECATED_SINCE, isOwnClient } from '../headers.ts';
import { tellPage } from '../pages.ts';
import { jsonRoute } from '../route.ts';

export const jobRoutes = [
  jsonRoute({
    name: 'createJob',
    access: 'write',
    method: 'POST',
    path: '/jobs',
    summary: 'Creates a job and queues it.',
    body: CreateJobBody,
    status: 201,
    reply: CreatedJob,
    refusals: [
      'not-found',
      'conflict',
      'workflow-invalid',
      'cannot-run',
      'stopping',
      'store-failed',
    ],
    async handle({ body, requestKey, ctx }, { runner }) {
      const created = await runner.createJob(body, requestKey);
      ctx.set('Location', `/jobs/${created.jobId}`);
      return created;
    },
  }),
  jsonRoute({
    name: 'jobs',
    access: 'read',
    method: 'GET',
    path: '/jobs',
    summary:
      'Jobs, newest first. X-Total-Count is their number; Link names the previous and next page.',
    query: JobsQuery,
    reply: JobList,
    refusals: [],
    handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_JOBS, offset = 0, coordinates, ...filter } = query;
      const { parentJobId, campaignParentId } = filter;
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
      const { jobs, total } = runner.jobs({
        ...filter,
        ...(coordinates === undefined ? {} : { coordinates: true }),
        ...(isOwnClient(ctx) ? { own: true } : {}),
        limit,
        offset,
      });
      tellPage(ctx, { limit, offset, total });
      return jobs;
    },
  }),
  jsonRoute({
    name: 'job',
    access: 'read',
    method: 'GET',
    path: '/jobs/:jobId',
    summary: 'One job with all its details.',
    reply: Job,
    refusals: ['not-found'],
    handle: ({ params }, { runner }) => runner.job(params.jobId),
  }),
];
