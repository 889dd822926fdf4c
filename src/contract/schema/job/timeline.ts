import Type from 'typebox';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { LogFrame } from './frames.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { ParkKind } from './job.ts';
import { Usage } from '../session/usage.ts';

/** A stretch of a job's life in which it did one thing. */
export const TimelineSpan = Type.Object({
  kind: Type.Union([Type.Literal('queued'), Type.Literal('working'), Type.Literal('waiting')], {
    description: 'Queued, at work, or parked.',
  }),
  visit: Type.Integer({
    description: 'The visit of a phase that it belongs to; 0 before the first one began.',
  }),
  waitsFor: nullable(ParkKind, 'What it was parked for; null unless `waiting`.'),
  reason: nullable(Type.String(), 'Why it was parked, in words; null unless `waiting`.'),
  from: describe(IsoTime, 'When it began.'),
  to: nullable(IsoTime, 'When it ended; null while it lasts.'),
});
export type TimelineSpan = Type.Static<typeof TimelineSpan>;

/** One run of an agent within a visit. */
export const TimelineSession = Type.Object({
  visit: Type.Integer({ description: 'The visit of the phase.' }),
  session: Type.Integer({ description: 'Number of the session within the visit, from 1.' }),
  from: describe(IsoTime, 'When it began.'),
  to: nullable(IsoTime, 'When it ended; null while it lasts.'),
  usage: nullable(Usage, 'Tokens; null where none were reported yet.'),
});
export type TimelineSession = Type.Static<typeof TimelineSession>;

/** How long a visit of a phase took, ms. What lasts counts up to `at` of the timeline. */
export const VisitTimes = Type.Object({
  visit: Type.Integer({ description: 'Number of the visit.' }),
  phase: Type.String({ description: 'The phase.' }),
  outcome: nullable(Type.String(), 'How the visit ended; null while it lasts.'),
  from: describe(IsoTime, 'Beginning of its first span.'),
  to: nullable(
    IsoTime,
    'End of its last span, what it waited for afterwards included; null while it lasts.',
  ),
  workMs: Type.Integer({ description: 'Time at work.' }),
  waitMs: Type.Integer({ description: 'Time parked, for approval for example.' }),
  queuedMs: Type.Integer({ description: 'Time queued.' }),
  lastOutput: Type.Optional(
    describe(LastOutput, 'What its agent wrote last, where its newest session failed.'),
  ),
});
export type VisitTimes = Type.Static<typeof VisitTimes>;

/** Reply of GET /jobs/:jobId/timeline: where a job's time went. */
export const JobTimeline = Type.Object({
  at: describe(IsoTime, "The runner's clock at this answer."),
  phases: Type.Array(Type.String(), { description: 'The phases of its workflow, in their order.' }),
  visits: Type.Array(VisitTimes, { description: 'Every visit of a phase, in order.' }),
  spans: Type.Array(TimelineSpan, {
    description: 'All of its life, oldest first, without gaps until it ended.',
  }),
  sessions: Type.Array(TimelineSession, { description: 'Every session, oldest first.' }),
  restarts: Type.Array(IsoTime, {
    description: 'When the runner was started again while the job was at work.',
  }),
  running: nullable(
    Type.Object({ since: IsoTime, visit: Type.Integer(), lastLine: nullable(LogFrame) }),
    'What is at work now: since when, and the last line of output; null while nothing is.',
  ),
});
export type JobTimeline = Type.Static<typeof JobTimeline>;
