import Type from 'typebox';
import { MessageState } from './message.ts';
import { SubRunInput } from './subRun.ts';
import { MAX_GIVEN_REASON_CHARS, MAX_MESSAGE_CHARS, MAX_SUB_RUNS } from '../domain/jobLimits.ts';
import { FailurePolicy } from './workflow.ts';

const closed = { additionalProperties: false } as const;

export const CreateJobBody = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9-]+$' }),
    /** Path in the job's overlay, e.g. workflows/job.md. */
    workflowPath: Type.String({ minLength: 1, maxLength: 256 }),
    params: Type.Record(Type.String(), Type.Unknown()),
    /** A campaign written by hand: the job begins in its workflow's parkPhase with these sub-runs. */
    subRuns: Type.Optional(Type.Array(SubRunInput, { minItems: 1, maxItems: MAX_SUB_RUNS })),
    /** Instead of what the workflow's coordinator says; only with `subRuns`. */
    coordinator: Type.Optional(
      Type.Object(
        {
          maxParallelSubRuns: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
          failurePolicy: Type.Optional(FailurePolicy),
        },
        closed,
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
  /** What whoever starts the job should know before it runs, a sentence each; left out where there is nothing. */
  warnings: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
});
export type CreatedJob = Type.Static<typeof CreatedJob>;

/**
 * `eventKey`: default `manual-resume`. `shown` is `approval.shown` of GET /jobs/:jobId: the sha256 of everything that the person saw. Left out, only the first version
 * that was shown at this checkpoint can be approved.
 */
export const ResumeBody = Type.Object(
  {
    eventKey: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    shown: Type.Optional(Type.String({ maxLength: 64 })),
  },
  closed,
);
export type ResumeBody = Type.Static<typeof ResumeBody>;

export const ReasonBody = Type.Object({ reason: Type.Optional(Type.String({ maxLength: MAX_GIVEN_REASON_CHARS })) }, closed);
export type ReasonBody = Type.Static<typeof ReasonBody>;

/** `replaces`: id of an earlier message that no agent was given yet; this one takes its place. */
export const MessageBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: MAX_MESSAGE_CHARS }),
    replaces: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  closed,
);
export type MessageBody = Type.Static<typeof MessageBody>;

/** Answer of resume, cancel, pause, message and rerun: what the job is after the command. */
export const CommandReply = Type.Object({
  jobId: Type.String(),
  status: Type.String(),
  phase: Type.String(),
  /** Dotted paths of the chart's states after the command. */
  state: Type.Array(Type.String()),
  /** Journal row that the command became. */
  seq: Type.Integer(),
  /** Only for a message: its receipt as it is when the message is kept. GET /jobs/:jobId/messages says what becomes of it. */
  receipt: Type.Optional(Type.Object({ id: Type.String(), state: MessageState })),
});
export type CommandReply = Type.Static<typeof CommandReply>;

/** An event as a person names it for what-if: resume, cancel, pause, message, rerun, or any event type of the chart. */
export const WhatIfBody = Type.Object(
  { event: Type.Object({ type: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: true }) },
  closed,
);
export type WhatIfBody = Type.Static<typeof WhatIfBody>;

export const ForgeCommentBody = Type.Object(
  { body: Type.String({ minLength: 1, maxLength: 65_536 }), author: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
  closed,
);
export type ForgeCommentBody = Type.Static<typeof ForgeCommentBody>;

/** Body of approve and merge: who does it; default `developer`. */
export const ForgeActorBody = Type.Object({ author: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) }, closed);
export type ForgeActorBody = Type.Static<typeof ForgeActorBody>;

/** Body of commands without arguments: nothing, or an empty object. */
export const EmptyBody = Type.Object({}, closed);
export type EmptyBody = Type.Static<typeof EmptyBody>;
