import Type from 'typebox';
import { CreatedJob, CreateJobBody } from '../api/bodies.ts';
import { Limit, Offset } from '../kit/page.ts';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { RunnerName, RunnerOfJob } from './teamJob.ts';

export const DISPATCH_STATES = [
  'waiting',
  'sent',
  'placed',
  'refused',
  'expired',
  'cancelled',
] as const;
export type DispatchState = (typeof DISPATCH_STATES)[number];

const Labels = Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }), {
  maxItems: 32,
});

/** Body of POST /teams/:teamId/jobs. */
export const DispatchBody = Type.Object(
  {
    ...CreateJobBody.properties,
    labels: Type.Optional(describe(Labels, 'Labels that the runner must have.')),
    runner: Type.Optional(describe(RunnerName, 'The only runner that may take it, by id or name.')),
  },
  closed,
);
export type DispatchBody = Type.Static<typeof DispatchBody>;

/** What a runner answered that did not make the job. */
export const DispatchRefusal = Type.Object({
  runnerId: Type.String({ description: 'The runner.' }),
  runnerName: Type.String({ description: 'Its name.' }),
  status: Type.Integer({ description: 'Status of its answer.' }),
  code: Type.String({ description: 'Code of its problem document.' }),
  detail: Type.String({ description: 'What it said.' }),
  errors: Type.Optional(
    Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }), {
      description: 'Fields that are wrong.',
    }),
  ),
});
export type DispatchRefusal = Type.Static<typeof DispatchRefusal>;

/** A job that a team wants made, on its way to a runner. */
export const Dispatch = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  state: Type.Enum([...DISPATCH_STATES], {
    description:
      'waiting: for a runner. sent: to one, which has not answered. placed: the job exists. refused: no runner makes it. expired: none took it within a day. cancelled: by a person.',
  }),
  reason: Type.String({
    description:
      'Why it is in this state: no-runner, no-slot, no-label:<label>, no-forge:<forge>, no-executor:<executor>, not-accepted, runner-too-old, person-limit, or a sentence such as `sent to mac-ada, which is away since 2026-11-30T12:03:00.000Z`.',
  }),
  since: describe(IsoTime, 'Since when this is the reason.'),
  createdBy: Type.Object(
    { userId: Type.String(), name: Type.String() },
    { description: 'Who wants it.' },
  ),
  type: Type.String({ description: 'Kind of the job.' }),
  workflowPath: Type.String({ description: 'Path of its workflow.' }),
  description: Type.String({ description: 'The request.' }),
  repoSlug: nullable(Type.String(), 'The repository; null = none.'),
  labels: describe(Labels, 'Labels that the runner must have.'),
  wantedRunner: nullable(Type.String(), 'The only runner that may take it; null = any.'),
  runner: nullable(RunnerOfJob, 'The runner that it was sent to; null = none.'),
  jobId: nullable(Type.String(), 'The job; null = it is not known to exist.'),
  refusal: nullable(DispatchRefusal, 'The last refusal; null = none.'),
  createdAt: describe(IsoTime, 'When it was created.'),
  sentAt: nullable(IsoTime, 'When it was sent; null = it was not.'),
  endedAt: nullable(IsoTime, 'When it was placed, refused, cancelled, or expired; null = not yet.'),
});
export type Dispatch = Type.Static<typeof Dispatch>;

export const DispatchList = Type.Array(Dispatch);

/** A job that was made for a dispatch. */
export const DispatchedJob = Type.Object({
  ...CreatedJob.properties,
  dispatchId: Type.String({ description: 'Its dispatch.' }),
  runner: Type.Object(
    { id: Type.String(), name: Type.String() },
    { description: 'The runner that made it.' },
  ),
});
export type DispatchedJob = Type.Static<typeof DispatchedJob>;

export const DEFAULT_DISPATCHES = 50;
export const MAX_DISPATCHES = 500;

/** Query of GET /teams/:teamId/dispatches. */
export const DispatchesQuery = Type.Object(
  {
    state: Type.Optional(
      Type.String({
        pattern: `^(${DISPATCH_STATES.join('|')})(,(${DISPATCH_STATES.join('|')}))*$`,
        must: `must be one or more of ${DISPATCH_STATES.join(', ')}, separated by commas`,
        description: `Only those in one of these states, separated by commas: ${DISPATCH_STATES.join(', ')}.`,
      }),
    ),
    limit: Type.Optional(Limit(MAX_DISPATCHES, DEFAULT_DISPATCHES)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type DispatchesQuery = Type.Static<typeof DispatchesQuery>;

/** Reply of POST /teams/:teamId/dispatches/:dispatchId/give-up. */
export const GivenUpDispatch = Type.Object({
  ...Dispatch.properties,
  warning: Type.String({ description: 'That the job may exist, and where.' }),
});
