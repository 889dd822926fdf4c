import Type from 'typebox';
import { MAX_JOB_IDS, MAX_SEARCH_CHARS } from '../../../base/limits/jobLimits.ts';
import { Limit, Offset } from '../kit/page.ts';
import { closed } from '../kit/schemaKit.ts';

export const DEFAULT_JOBS = 50;
export const MAX_JOBS = 500;

const JobId = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });

/** How a job is, for a person. */
export const STANDINGS = [
  'needs-you',
  'queued',
  'working',
  'waiting',
  'failed',
  'partial',
  'complete',
  'cancelled',
] as const;

/** What the list can be sorted by. */
export const JOB_ORDERS = [
  'created',
  'since',
  'title',
  'status',
  'repo',
  'workflow',
  'phase',
  'cost',
] as const;

const toAlternation = (values: readonly string[]) => `(${values.join('|')})`;

const jobFilter = {
  ids: Type.Optional(
    Type.String({
      pattern: `^[^,]{1,128}(,[^,]{1,128}){0,${MAX_JOB_IDS - 1}}$`,
      must: `must be 1 to ${MAX_JOB_IDS} ids of jobs, separated by commas`,
      description: `Only the jobs with these ids, separated by commas; at most ${MAX_JOB_IDS}.`,
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_CHARS,
      description:
        'Only jobs in which every word of it occurs: in id, the first 2,000 characters of the description, repository, workflow, phase, status, or reason of waiting. Case and accents do not count.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_CHARS,
      description: 'The same as q, which counts where both are given.',
    }),
  ),
  status: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Only jobs with this status: all of it, or the part before a colon.',
    }),
  ),
  is: Type.Optional(
    Type.String({
      pattern: `^${toAlternation(STANDINGS)}(,${toAlternation(STANDINGS)})*$`,
      must: `must be one or more of ${STANDINGS.join(', ')}, separated by commas`,
      description: `Only jobs that are one of these, separated by commas: ${STANDINGS.join(', ')}. A job that needs a person is needs-you and, where it failed or escalated, failed; it is nothing else.`,
    }),
  ),
  needs: Type.Optional(
    Type.Union(
      [
        Type.Literal('me'),
        Type.Literal('decide'),
        Type.Literal('review'),
        Type.Literal('broken'),
        Type.Literal('snoozed'),
      ],
      {
        description:
          'Only jobs that need a person: for a decision (decide), for a review or merge of a pull request (review), because they failed or escalated (broken), or any of these (me). snoozed: only jobs of which that was put off.',
      },
    ),
  ),
  repo: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only jobs of this repository.' }),
  ),
  workflow: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Only jobs that follow the workflow with this path.',
    }),
  ),
  type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only jobs of this type.' }),
  ),
  coordinates: Type.Optional(
    Type.Literal('true', {
      description: 'Only jobs whose workflow coordinates sub-runs, or that have some.',
    }),
  ),
  subRuns: Type.Optional(
    Type.Literal('needing', {
      description:
        'Leaves out sub-runs that need no one. is=failed, and the count of it, has all that failed.',
    }),
  ),
  parentJobId: Type.Optional(JobId('Only sub-runs of this job.')),
  campaignParentId: Type.Optional(JobId('Older name of parentJobId.')),
};

/** Query of GET /jobs/counts. */
export const JobCountsQuery = Type.Object(
  {
    ...jobFilter,
    sum: Type.Optional(
      Type.Literal('cost', {
        description: 'Adds what the jobs have cost, where no more than 20,000 match.',
      }),
    ),
  },
  closed,
);
export type JobCountsQuery = Type.Static<typeof JobCountsQuery>;

/** Query of GET /jobs. */
export const JobsQuery = Type.Object(
  {
    ...jobFilter,
    sort: Type.Optional(
      Type.String({
        pattern: `^-?${toAlternation(JOB_ORDERS)}$`,
        must: `must be one of ${JOB_ORDERS.join(', ')}, or one of them after a minus`,
        default: '-created',
        description: `Sort order: ${JOB_ORDERS.join(', ')}; prefix with - to reverse. since: how long a job has been queued, working, waiting or ended. cost: what models have cost, as far as their prices are known; a job without usage comes last where the order is reversed.`,
      }),
    ),
    limit: Type.Optional(Limit(MAX_JOBS, DEFAULT_JOBS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type JobsQuery = Type.Static<typeof JobsQuery>;

export const DEFAULT_JOURNAL_ROWS = 200;
export const MAX_JOURNAL_ROWS = 1000;

/** Query of GET /jobs/:jobId/journal. */
export const JournalQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: 'Only rows whose seq is greater.' }),
    ),
    limit: Type.Optional(Limit(MAX_JOURNAL_ROWS, DEFAULT_JOURNAL_ROWS)),
  },
  closed,
);
export type JournalQuery = Type.Static<typeof JournalQuery>;

export const DEFAULT_MESSAGES = 100;
export const MAX_MESSAGES = 500;

/** Query of GET /jobs/:jobId/messages: pages lead from the newest messages back. */
export const MessagesQuery = Type.Object(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only the message with this id.' }),
    ),
    limit: Type.Optional(Limit(MAX_MESSAGES, DEFAULT_MESSAGES)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type MessagesQuery = Type.Static<typeof MessagesQuery>;

/** Query of GET /jobs/:jobId/stream. */
export const StreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only frames after this one. Default: 0.' }),
    ),
    tail: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only so many frames of the past; 0 = none.' }),
    ),
    follow: Type.Optional(
      Type.Literal('false', {
        description: 'Ends the stream once the past is sent. Default: it continues.',
      }),
    ),
  },
  closed,
);
export type StreamQuery = Type.Static<typeof StreamQuery>;
