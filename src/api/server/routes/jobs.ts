import type { Context } from 'koa';
import { SvcError } from '../../../shared/errors/errors.ts';
import { CreatedJob, CreateJobBody } from '../../../contract/schema/api/bodies.ts';
import { Estimate } from '../../../contract/schema/policy/estimate.ts';
import { Job } from '../../../contract/schema/job/job.ts';
import { DEFAULT_JOBS, JobCountsQuery, JobsQuery } from '../../../contract/schema/api/queries.ts';
import { JobCounts, JobList } from '../../../contract/schema/api/replies.ts';
import { DEPRECATED_SINCE, isOwnClient } from '../replies/headers.ts';
import { tellPage } from '../replies/pages.ts';
import { defineJsonRoute } from '../route.ts';
import { addWaitingLayerNote } from '../replies/addWaitingLayerNote.ts';

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

export const jobRoutes = [
  defineJsonRoute({
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
      'over-budget',
      'guardrail',
      'stopping',
      'store-failed',
    ],
    async handle({ body, requestKey, ctx }, { runner, config }) {
      const created = await runner.createJob(body, requestKey).catch(async (error: unknown) => {
        throw await addWaitingLayerNote(error, config);
      });
      ctx.set('Location', `/jobs/${created.jobId}`);
      return created;
    },
  }),
  defineJsonRoute({
    name: 'estimateJob',
    // It may ask a forge and a tracker, as the making does.
    access: 'write',
    method: 'POST',
    path: '/jobs/estimate',
    summary:
      'What a job of this request may use: at worst, most likely, and what will stop it. Nothing is created.',
    body: CreateJobBody,
    reply: Estimate,
    refusals: ['not-found', 'workflow-invalid', 'cannot-run'],
    handle: ({ body }, { runner, config }) =>
      runner.estimateJob(body).catch(async (error: unknown) => {
        throw await addWaitingLayerNote(error, config);
      }),
  }),
  defineJsonRoute({
    name: 'jobs',
    access: 'read',
    method: 'GET',
    path: '/jobs',
    summary:
      'Jobs, newest first unless sorted otherwise. X-Total-Count is their number; Link names the previous and next page.',
    query: JobsQuery,
    reply: JobList,
    refusals: [],
    async handle({ query, ctx }, { runner }) {
      const { limit = DEFAULT_JOBS, offset = 0, ...filter } = query;
      const { jobs, total } = await runner.jobs({ ...parseJobFilter(filter, ctx), limit, offset });
      tellPage(ctx, { limit, offset, total });
      return jobs;
    },
  }),
  defineJsonRoute({
    name: 'jobCounts',
    access: 'read',
    method: 'GET',
    path: '/jobs/counts',
    summary: 'How many jobs match, in which states they are, and how many need a person.',
    query: JobCountsQuery,
    reply: JobCounts,
    refusals: [],
    handle: ({ query, ctx }, { runner }) => runner.jobCounts(parseJobFilter(query, ctx)),
  }),
  defineJsonRoute({
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
