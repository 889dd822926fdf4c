import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { DEFAULT_REPORT_SINCE } from '../../../base/time/reportSince.ts';
import { BudgetView } from '../policy/budget.ts';
import { CostSum } from '../policy/costs.ts';
import { Failures } from '../job/failures.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { NeedsCounts } from '../job/jobNeeds.ts';
import { Pool } from '../policy/pool.ts';
import { PrMapping } from '../forge/pr.ts';

export const ReportQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `When it begins: ISO 8601, or how long ago, such as 12h or 2d. Default: ${DEFAULT_REPORT_SINCE}.`,
      }),
    ),
  },
  closed,
);
export type ReportQuery = Type.Static<typeof ReportQuery>;

const Links = {
  page: Type.String({
    description: 'Its page in the dashboard: a path at the address of the runner.',
  }),
  pullRequests: Type.Array(Type.Pick(PrMapping, ['prId', 'url', 'state']), {
    description: 'Its pull requests.',
  }),
};
/** Where a job of a report is shown. */
export type ReportLinks = Type.Static<Type.TObject<typeof Links>>;

/** What every job of a report has. */
const OfJob = {
  jobId: Type.String({ description: 'The job.' }),
  title: Type.String({ description: 'The first line of its request.' }),
  repo: nullable(Type.String(), 'Its repository; null = none.'),
  workflow: Type.String({ description: 'Path of its workflow.' }),
  ...Links,
};

export const ReportStop = Type.Object({
  ...OfJob,
  why: Type.String({
    description:
      'What has stopped it: budget, quota, outage, developer, external, halted, paused, until, stop-all, failed or escalated.',
  }),
  since: describe(IsoTime, 'Since when.'),
  reason: Type.String({ description: 'The reason in words.' }),
  until: nullable(IsoTime, 'When it continues by itself; null = not before a person acts.'),
  command: Type.String({ description: 'What continues it.' }),
  lastOutput: Type.Optional(
    describe(LastOutput, 'What its agent wrote last, where it has failed.'),
  ),
});
export type ReportStop = Type.Static<typeof ReportStop>;

export const ReportApproval = Type.Object({
  ...OfJob,
  phase: Type.String({ description: 'The phase that waits for it.' }),
  since: describe(IsoTime, 'Since when.'),
  command: Type.String({ description: 'What shows it, and asks.' }),
});
export type ReportApproval = Type.Static<typeof ReportApproval>;

export const ReportReview = Type.Object({
  ...OfJob,
  since: describe(IsoTime, 'Since when.'),
  reason: Type.String({ description: 'What it waits for, in words.' }),
  command: Type.String({ description: 'What shows its pull requests.' }),
});
export type ReportReview = Type.Static<typeof ReportReview>;

export const ReportFinished = Type.Object({
  ...OfJob,
  outcome: Type.Enum(['complete', 'partial', 'cancelled'], {
    description: 'How it ended; `partial`: complete with sub-runs that failed.',
  }),
  since: describe(IsoTime, 'When.'),
});
export type ReportFinished = Type.Static<typeof ReportFinished>;

export const Report = Type.Object({
  since: describe(IsoTime, 'When it begins.'),
  until: describe(IsoTime, 'When it was made.'),
  jobs: Type.Object(
    {
      complete: Type.Integer({
        description: 'Jobs that came to a complete end in this time and stayed there.',
      }),
      partial: Type.Integer({ description: 'The same with sub-runs that failed.' }),
      failed: Type.Integer({
        description: 'Jobs that failed or escalated in this time and stayed so.',
      }),
      cancelled: Type.Integer({ description: 'Jobs that were cancelled in this time.' }),
      working: Type.Integer({ description: 'Jobs that work now.' }),
      queued: Type.Integer({ description: 'Jobs that wait for a slot now.' }),
      waiting: Type.Integer({ description: 'Jobs that wait for something else now.' }),
    },
    { description: 'How many jobs are how.' },
  ),
  failures: describe(Failures, 'What the number of failed jobs in it consists of.'),
  needs: describe(NeedsCounts, 'How many jobs, and proposals, need a person now.'),
  cost: describe(CostSum, 'What models have cost in this time.'),
  costs: Type.Array(
    Type.Object({
      jobId: nullable(Type.String(), 'The job, or `chat:<id>`.'),
      title: nullable(Type.String(), 'The first line of its request.'),
      cost: describe(CostSum, 'What models have cost for it in this time.'),
    }),
    { description: 'The same by job, dearest first; at most 100 jobs.' },
  ),
  costsOf: Type.Integer({ description: 'How many jobs there are in all.' }),
  budgets: Type.Array(BudgetView, {
    description:
      'What is spent of the budgets of day, week, runner and repositories, and of those of single jobs and campaigns that have stopped for one, at most 100.',
  }),
  stops: Type.Array(ReportStop, {
    description:
      'Jobs that have stopped and do not continue, or not yet, and those that failed in this time; newest first, at most 200.',
  }),
  approvals: Type.Array(ReportApproval, {
    description: 'Approvals that wait, oldest first; at most 200.',
  }),
  reviews: Type.Array(ReportReview, {
    description:
      'Jobs that wait for a review or the merge of a pull request, oldest first; at most 200.',
  }),
  finished: Type.Array(ReportFinished, {
    description: 'Jobs that ended in this time without a failure, newest first; at most 200.',
  }),
  pools: Type.Array(Pool, { description: 'The accounts of models.' }),
});
export type Report = Type.Static<typeof Report>;
