import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { MAX_GIVEN_REASON_CHARS } from '../../../base/limits/jobLimits.ts';

/** Name of a sub-run: it is a key, a part of addresses and of file names. */
export const SUB_RUN_NAME = '^[a-z0-9][a-z0-9._-]{0,63}$';
export const MAX_SUB_RUN_DESCRIPTION_CHARS = 8_000;
/** Most names that one sub-run may wait for. */
export const MAX_DEPENDS_ON = 100;

/**
 * `pending`: waits for others; `ready`: waits for its turn alone; `dispatched`: its job is under
 * way; `skipped` by a person (which satisfies those that wait for it) or because one that it waits
 * for has failed.
 */
export const SubRunStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('ready'),
  Type.Literal('dispatched'),
  Type.Literal('complete'),
  Type.Literal('failed'),
  Type.Literal('escalated'),
  Type.Literal('skipped'),
]);
export type SubRunStatus = Type.Static<typeof SubRunStatus>;

const SubRunName = Type.String({ pattern: SUB_RUN_NAME });

/** A sub-run as a caller requests it. */
export const SubRunInput = Type.Object(
  {
    name: SubRunName,
    description: Type.String({
      minLength: 1,
      maxLength: MAX_SUB_RUN_DESCRIPTION_CHARS,
      description: 'The request of the sub-run.',
    }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Parameters of its job, over `subRunParamsDefault` of the workflow.',
      }),
    ),
    dependsOn: Type.Optional(
      Type.Array(SubRunName, {
        maxItems: MAX_DEPENDS_ON,
        uniqueItems: true,
        description: 'Names of the sub-runs that it waits for.',
      }),
    ),
    trackerRef: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'Key or address of its issue.' }),
    ),
  },
  closed,
);
export type SubRunInput = Type.Static<typeof SubRunInput>;

/** A sub-run in its current state (specification: SubRunSpec), with what this runner adds. */
export const SubRunSpec = Type.Object({
  name: Type.String({ description: 'Its name.' }),
  description: Type.String({ description: 'Its request.' }),
  params: Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters of its job.' }),
  dependsOn: Type.Array(Type.String(), { description: 'Names of those that it waits for.' }),
  trackerRef: nullable(Type.String(), 'Key or address of its issue; null = none.'),
  jobId: nullable(Type.String(), 'Job of the latest attempt; null before the first.'),
  status: describe(
    SubRunStatus,
    'pending: waits for others. ready: waits for its turn. dispatched: its job is running. skipped satisfies those that wait for it only if a person skipped it.',
  ),
  startedAt: nullable(IsoTime, 'When its job was created; null before.'),
  completedAt: nullable(IsoTime, 'When it ended; null before.'),
  attempt: Type.Integer({ description: 'How often it was or is to be run; 1 before any rerun.' }),
  reason: nullable(
    Type.String(),
    'Why it failed, escalated or was skipped; with ready: what kept its job from being created, which svc tries again by itself. Null otherwise.',
  ),
});
export type SubRunSpec = Type.Static<typeof SubRunSpec>;

/** The state of a campaign. */
export const SubRunsState = Type.Union([
  Type.Literal('collecting'),
  Type.Literal('finalized'),
  Type.Literal('dispatching'),
  Type.Literal('held'),
  Type.Literal('halted'),
  Type.Literal('settled'),
  Type.Literal('reopened'),
  Type.Literal('closing'),
  Type.Literal('closed'),
]);
export type SubRunsState = Type.Static<typeof SubRunsState>;

export const SubRunAction = Type.Union([
  Type.Literal('skip'),
  Type.Literal('unskip'),
  Type.Literal('rerun'),
  Type.Literal('cancel'),
]);
export type SubRunAction = Type.Static<typeof SubRunAction>;

const reason = Type.Optional(
  Type.String({
    maxLength: MAX_GIVEN_REASON_CHARS,
    description: 'The reason, stored in the journal.',
  }),
);
const paramsPatch = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'For rerun: parameters to change; the others stay.',
  }),
);

/**
 * Body of skip, unskip, rerun and cancel; `paramsPatch` is for rerun alone: merged into the params of the
 * sub-run.
 */
export const SubRunActionBody = Type.Object({ reason, paramsPatch }, closed);
export type SubRunActionBody = Type.Static<typeof SubRunActionBody>;

export const SubRunWhatIfBody = Type.Object({ action: SubRunAction, reason, paramsPatch }, closed);
export type SubRunWhatIfBody = Type.Static<typeof SubRunWhatIfBody>;

/** One sub-run whose status an action changes. */
export const SubRunChange = Type.Object({
  name: Type.String({ description: 'The sub-run.' }),
  from: describe(SubRunStatus, 'Its status before.'),
  to: describe(SubRunStatus, 'Its status after.'),
  reason: nullable(Type.String(), 'The reason; null = none.'),
});
export type SubRunChange = Type.Static<typeof SubRunChange>;

/** What an action would do, or has done. */
export const SubRunEffects = Type.Object({
  state: describe(SubRunsState, 'State of the campaign afterwards.'),
  changes: Type.Array(SubRunChange, { description: 'The sub-runs whose status changes.' }),
  starts: Type.Array(Type.String(), { description: 'Names whose jobs are started.' }),
  stops: Type.Array(Type.String(), { description: 'Names whose jobs are asked to stop.' }),
});
export type SubRunEffects = Type.Static<typeof SubRunEffects>;

/** Reply of what-if: `refused` says why the action is not possible now, else null. */
export const SubRunWhatIf = Type.Object({
  refused: nullable(Type.String(), 'Why the action is not possible now; null = it is.'),
  ...SubRunEffects.properties,
});
export type SubRunWhatIf = Type.Static<typeof SubRunWhatIf>;

/** Reply of skip, unskip, rerun and cancel. */
export const SubRunReply = Type.Object({
  jobId: Type.String({ description: 'The parent.' }),
  name: Type.String({ description: 'The sub-run.' }),
  status: describe(SubRunStatus, 'Its status afterwards.'),
  ...SubRunEffects.properties,
});
export type SubRunReply = Type.Static<typeof SubRunReply>;
