import Type from 'typebox';
import { DEFAULT_REPORT_SINCE } from '../../../shared/time/reportSince.ts';
import { BudgetView } from '../policy/budget.ts';
import { CostSum } from '../policy/costs.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { Failures } from '../job/failures.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { NeedsCounts } from '../job/jobNeeds.ts';
import { Pool } from '../policy/pool.ts';
import { PrMapping } from '../forge/pr.ts';
import { nullable } from '../kit/nullable.ts';

export const ReportQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `When it begins: ISO 8601, or how long ago, such as 12h or 2d. Default: ${DEFAULT_REPORT_SINCE}.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type ReportQuery = Type.Static<typeof ReportQuery>;

const Links = {
  page: Type.String(),
  pullRequests: Type.Array(Type.Pick(PrMapping, ['prId', 'url', 'state'])),
};
/** Where a job of a report is shown. */
export type ReportLinks = Type.Static<Type.TObject<typeof Links>>;

/** What every job of a report has. */
const OfJob = { jobId: Type.String(), title: Type.String(), ...Links };
const ofJobTexts = {
  jobId: 'The job.',
  title: 'The first line of its request.',
  page: 'Its page in the dashboard: a path at the address of the runner.',
  pullRequests: 'Its pull requests.',
};

export const ReportStop = describeMembers(
  Type.Object({
    ...OfJob,
    why: Type.String(),
    since: IsoTime,
    reason: Type.String(),
    until: nullable(IsoTime),
    command: Type.String(),
    lastOutput: Type.Optional(LastOutput),
  }),
  {
    ...ofJobTexts,
    why: 'What has stopped it: budget, quota, outage, developer, external, halted, paused, until, stop-all, failed or escalated.',
    since: 'Since when.',
    reason: 'The reason in words.',
    until: 'When it continues by itself; null = not before a person acts.',
    command: 'What continues it.',
    lastOutput: 'What its agent wrote last, where it has failed.',
  },
);
export type ReportStop = Type.Static<typeof ReportStop>;

export const ReportApproval = describeMembers(
  Type.Object({
    ...OfJob,
    phase: Type.String(),
    since: IsoTime,
    command: Type.String(),
  }),
  {
    ...ofJobTexts,
    phase: 'The phase that waits for it.',
    since: 'Since when.',
    command: 'What shows it, and asks.',
  },
);
export type ReportApproval = Type.Static<typeof ReportApproval>;

export const ReportReview = describeMembers(
  Type.Object({ ...OfJob, since: IsoTime, reason: Type.String(), command: Type.String() }),
  {
    ...ofJobTexts,
    since: 'Since when.',
    reason: 'What it waits for, in words.',
    command: 'What shows its pull requests.',
  },
);
export type ReportReview = Type.Static<typeof ReportReview>;

export const ReportFinished = describeMembers(
  Type.Object({
    ...OfJob,
    outcome: Type.Enum(['complete', 'partial', 'cancelled']),
    since: IsoTime,
  }),
  {
    ...ofJobTexts,
    outcome: 'How it ended; `partial`: complete with sub-runs that failed.',
    since: 'When.',
  },
);
export type ReportFinished = Type.Static<typeof ReportFinished>;

export const Report = describeMembers(
  Type.Object({
    since: IsoTime,
    until: IsoTime,
    jobs: describeMembers(
      Type.Object({
        complete: Type.Integer(),
        partial: Type.Integer(),
        failed: Type.Integer(),
        cancelled: Type.Integer(),
        working: Type.Integer(),
        queued: Type.Integer(),
        waiting: Type.Integer(),
      }),
      {
        complete: 'Jobs that came to a complete end in this time and stayed there.',
        partial: 'The same with sub-runs that failed.',
        failed: 'Jobs that failed or escalated in this time and stayed so.',
        cancelled: 'Jobs that were cancelled in this time.',
        working: 'Jobs that work now.',
        queued: 'Jobs that wait for a slot now.',
        waiting: 'Jobs that wait for something else now.',
      },
    ),
    failures: Failures,
    needs: NeedsCounts,
    cost: CostSum,
    costs: Type.Array(
      describeMembers(
        Type.Object({
          jobId: nullable(Type.String()),
          title: nullable(Type.String()),
          cost: CostSum,
        }),
        {
          jobId: 'The job, or `chat:<id>`.',
          title: 'The first line of its request.',
          cost: 'What models have cost for it in this time.',
        },
      ),
    ),
    costsOf: Type.Integer(),
    budgets: Type.Array(BudgetView),
    stops: Type.Array(ReportStop),
    approvals: Type.Array(ReportApproval),
    reviews: Type.Array(ReportReview),
    finished: Type.Array(ReportFinished),
    pools: Type.Array(Pool),
  }),
  {
    since: 'When it begins.',
    until: 'When it was made.',
    jobs: 'How many jobs are how.',
    failures: 'What the number of failed jobs in it consists of.',
    needs: 'How many jobs, and proposals, need a person now.',
    cost: 'What models have cost in this time.',
    costs: 'The same by job, dearest first; at most 100 jobs.',
    costsOf: 'How many jobs there are in all.',
    budgets:
      'What is spent of the budgets of day, week, runner and repositories, and of those of single jobs and campaigns that have stopped for one, at most 100.',
    stops:
      'Jobs that have stopped and do not continue, or not yet, and those that failed in this time; newest first, at most 200.',
    approvals: 'Approvals that wait, oldest first; at most 200.',
    reviews:
      'Jobs that wait for a review or the merge of a pull request, oldest first; at most 200.',
    finished: 'Jobs that ended in this time without a failure, newest first; at most 200.',
    pools: 'The accounts of models.',
  },
);
export type Report = Type.Static<typeof Report>;
