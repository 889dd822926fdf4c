import Type from 'typebox';
import { MessageState } from '../session/message.ts';
import { BudgetRaise } from '../policy/budget.ts';
import { Estimate } from '../policy/estimate.ts';
import { SubRunInput } from '../job/subRun.ts';
import {
  MAX_GIVEN_REASON_CHARS,
  MAX_MESSAGE_CHARS,
  MAX_SNOOZE_DAYS,
  MAX_SUB_RUNS,
} from '../../../base/limits/jobLimits.ts';
import { FailurePolicy } from '../workflow/workflow.ts';
import { closed, describe, IsoTime } from '../kit/schemaKit.ts';

export const CreateJobBody = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[a-z0-9-]+$',
      description:
        'Kind of the job, such as `job`; GET /jobs can filter by it. A job of workflows/self-update.md is always of the type `self-update`.',
    }),
    workflowPath: Type.String({
      minLength: 1,
      maxLength: 256,
      description: "Path of the workflow in the job's overlay, such as workflows/job.md.",
    }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Parameters of the job; `createParams` of the workflow says which it needs.',
    }),
    subRuns: Type.Optional(
      Type.Array(SubRunInput, {
        minItems: 1,
        maxItems: MAX_SUB_RUNS,
        description:
          "A campaign written by hand: the job begins in its workflow's parkPhase with these sub-runs.",
      }),
    ),
    coordinator: Type.Optional(
      Type.Object(
        {
          maxParallelSubRuns: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 64,
              description: 'Maximum number of sub-runs that run at the same time.',
            }),
          ),
          failurePolicy: Type.Optional(FailurePolicy),
        },
        { ...closed, description: "In place of the workflow's own values; only with `subRuns`." },
      ),
    ),
  },
  closed,
);
export type CreateJobBody = Type.Static<typeof CreateJobBody>;

export const CreatedJob = Type.Object({
  jobId: Type.String(),
  status: Type.String(),
  streamUrl: Type.String(),
  estimate: Type.Optional(Estimate),
  unattended: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only of a job that works unattended: what it may spend and do, a line each.',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      description: 'What to know before the job runs, a sentence each.',
    }),
  ),
});
export type CreatedJob = Type.Static<typeof CreatedJob>;

export const ResumeBody = Type.Object(
  {
    eventKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'Why the job resumes: `approve`, `reject`, or a word of your own. Default: manual-resume.',
      }),
    ),
    shown: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          '`approval.shown` of GET /jobs/{jobId}: the sha256 of everything that the person saw. Left out, only the first version shown at this checkpoint can be approved.',
      }),
    ),
    budget: Type.Optional(
      Type.Object(BudgetRaise.properties, {
        ...closed,
        description:
          'Raises the budget that stopped the job by this amount, such as { "usd": 5 }. Refused for a job that does not wait for a budget.',
      }),
    ),
    unattended: Type.Optional(
      Type.Object(
        { until: Type.String({ minLength: 1, maxLength: 64 }) },
        {
          ...closed,
          description:
            'How long the job may work unattended from now on: RFC 3339 with a zone, or a duration such as 12h. Omitted: an expired limit is removed, a current one is kept.',
        },
      ),
    ),
  },
  closed,
);
export type ResumeBody = Type.Static<typeof ResumeBody>;

const Reason = Type.String({
  maxLength: MAX_GIVEN_REASON_CHARS,
  description: 'The reason, stored in the journal.',
});

export const ReasonBody = Type.Object({ reason: Type.Optional(Reason) }, closed);
export type ReasonBody = Type.Static<typeof ReasonBody>;

export const MessageBody = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_CHARS,
      description: 'Text for the agent, in Markdown.',
    }),
    replaces: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Id of an earlier message that no agent has been given yet; this one replaces it.',
      }),
    ),
  },
  closed,
);
export type MessageBody = Type.Static<typeof MessageBody>;

export const SnoozeBody = Type.Object(
  {
    until: describe(
      IsoTime,
      `When the job needs a person again: in the future, at most ${MAX_SNOOZE_DAYS} days ahead.`,
    ),
  },
  closed,
);
export type SnoozeBody = Type.Static<typeof SnoozeBody>;

/** Answer of a stop of all jobs. */
export const StopAllReply = Type.Object({
  paused: Type.Integer({
    description: 'Jobs that are paused now, or as soon as their session has ended.',
  }),
  resting: Type.Integer({
    description: 'Jobs that were paused already, or wait for a person anyway.',
  }),
});
export type StopAllReply = Type.Static<typeof StopAllReply>;

/** Answer of resume, cancel, pause, message and rerun: what the job is after the command. */
export const CommandReply = Type.Object({
  jobId: Type.String(),
  status: Type.String(),
  phase: Type.String(),
  state: Type.Array(Type.String(), {
    description: "Dotted paths of the chart's states after the command.",
  }),
  seq: Type.Integer({ description: 'Journal row of the command.' }),
  receipt: Type.Optional(
    Type.Object(
      { id: Type.String(), state: MessageState },
      {
        description:
          'Only for a message: its receipt at the moment of storing. GET /jobs/{jobId}/messages has the later ones.',
      },
    ),
  ),
});
export type CommandReply = Type.Static<typeof CommandReply>;

/**
 * An event as a person names it for what-if: resume, cancel, pause, message, rerun, or any event
 * type of the chart.
 */
export const WhatIfBody = Type.Object(
  {
    event: Type.Object(
      {
        type: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'resume, cancel, pause, message, rerun, or any event type of the chart.',
        }),
      },
      { additionalProperties: true, description: 'The event, with the fields that it has.' },
    ),
  },
  closed,
);
export type WhatIfBody = Type.Static<typeof WhatIfBody>;

const Author = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Name to record for this action. Default: developer.',
});

export const ForgeCommentBody = Type.Object(
  {
    body: Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'The comment, in Markdown.',
    }),
    author: Type.Optional(Author),
  },
  closed,
);
export type ForgeCommentBody = Type.Static<typeof ForgeCommentBody>;

/** Body of an approval. */
export const ForgeActorBody = Type.Object({ author: Type.Optional(Author) }, closed);
export type ForgeActorBody = Type.Static<typeof ForgeActorBody>;

/** Body of a merge. */
export const ForgeMergeBody = Type.Object(
  {
    author: Type.Optional(Author),
    head: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{12,64}$',
        description:
          'The commit that the person was shown, with at least 12 characters of its hash: only this one is merged. If it is no longer the newest, nothing is merged, and the answer is 409. Default: the newest.',
      }),
    ),
  },
  closed,
);
export type ForgeMergeBody = Type.Static<typeof ForgeMergeBody>;

/** Body of closing a pull request, and of opening it again. */
export const ForgeReasonBody = Type.Object(
  {
    author: Type.Optional(Author),
    reason: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description: 'Why, for the agent; also written as a comment. Default: none.',
      }),
    ),
  },
  closed,
);
export type ForgeReasonBody = Type.Static<typeof ForgeReasonBody>;

/** Body of commands without arguments: nothing, or an empty object. */
export const EmptyBody = Type.Object({}, closed);
export type EmptyBody = Type.Static<typeof EmptyBody>;
