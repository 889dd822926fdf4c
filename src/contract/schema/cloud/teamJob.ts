import Type from 'typebox';
import { JobSummary } from '../job/job.ts';
import { JobCountsQuery, JobsQuery } from '../api/queries.ts';
import { Limit, Offset } from '../kit/page.ts';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/** The runner that a job is on, as lists show it. */
export const RunnerOfJob = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  name: Type.String({ description: 'Its name.' }),
  awaySince: nullable(
    IsoTime,
    'Since when it is away; null = it is connected. The job is shown as it was last known.',
  ),
  revokedAt: Type.Optional({
    ...IsoTime,
    description:
      'When it was revoked; left out = it was not. It answers again when it is paired again.',
  }),
  continuedBy: Type.Optional(
    Type.String({ description: 'Name of the runner that continues its jobs; left out = its own.' }),
  ),
});
export type RunnerOfJob = Type.Static<typeof RunnerOfJob>;

/** A job in the list of a team. */
export const TeamJob = Type.Object({
  ...JobSummary.properties,
  runner: describe(RunnerOfJob, 'The runner that it is on.'),
});
export type TeamJob = Type.Static<typeof TeamJob>;

export const TeamJobList = Type.Array(TeamJob);

/** A runner by its id or its name. */
export const RunnerName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The runner that is asked, by id or name.',
});

/** Query of GET /teams/:teamId/jobs. */
export const TeamJobsQuery = Type.Object(
  { ...JobsQuery.properties, runner: Type.Optional(RunnerName) },
  closed,
);
export type TeamJobsQuery = Type.Static<typeof TeamJobsQuery>;

/** Query of GET /teams/:teamId/jobs/counts. */
export const TeamJobCountsQuery = Type.Object(
  { ...JobCountsQuery.properties, runner: Type.Optional(RunnerName) },
  closed,
);
export type TeamJobCountsQuery = Type.Static<typeof TeamJobCountsQuery>;

export const DEFAULT_INBOX = 50;
export const MAX_INBOX = 500;

/** Query of GET /teams/:teamId/inbox. */
export const TeamInboxQuery = Type.Object(
  {
    limit: Type.Optional(Limit(MAX_INBOX, DEFAULT_INBOX)),
    offset: Type.Optional(Offset),
  },
  closed,
);
