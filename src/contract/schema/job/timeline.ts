import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';
import { LogFrame } from './frames.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { ParkKind } from './job.ts';
import { Usage } from '../session/usage.ts';
import { nullable } from '../kit/nullable.ts';

/** A stretch of a job's life in which it did one thing. */
export const TimelineSpan = describeMembers(
  Type.Object({
    kind: Type.Union([Type.Literal('queued'), Type.Literal('working'), Type.Literal('waiting')]),
    visit: Type.Integer(),
    waitsFor: nullable(ParkKind),
    reason: nullable(Type.String()),
    from: IsoTime,
    to: nullable(IsoTime),
  }),
  {
    kind: 'Queued, at work, or parked.',
    visit: 'The visit of a phase that it belongs to; 0 before the first one began.',
    waitsFor: 'What it was parked for; null unless `waiting`.',
    reason: 'Why it was parked, in words; null unless `waiting`.',
    from: 'When it began.',
    to: 'When it ended; null while it lasts.',
  },
);
export type TimelineSpan = Type.Static<typeof TimelineSpan>;

/** One run of an agent within a visit. */
export const TimelineSession = describeMembers(
  Type.Object({
    visit: Type.Integer(),
    session: Type.Integer(),
    from: IsoTime,
    to: nullable(IsoTime),
    usage: nullable(Usage),
  }),
  {
    visit: 'The visit of the phase.',
    session: 'Number of the session within the visit, from 1.',
    from: 'When it began.',
    to: 'When it ended; null while it lasts.',
    usage: 'Tokens; null where none were reported yet.',
  },
);
export type TimelineSession = Type.Static<typeof TimelineSession>;

/** How long a visit of a phase took, ms. What lasts counts up to `at` of the timeline. */
export const VisitTimes = describeMembers(
  Type.Object({
    visit: Type.Integer(),
    phase: Type.String(),
    outcome: nullable(Type.String()),
    from: IsoTime,
    to: nullable(IsoTime),
    workMs: Type.Integer(),
    waitMs: Type.Integer(),
    queuedMs: Type.Integer(),
    lastOutput: Type.Optional(LastOutput),
  }),
  {
    visit: 'Number of the visit.',
    phase: 'The phase.',
    outcome: 'How the visit ended; null while it lasts.',
    from: 'Beginning of its first span.',
    to: 'End of its last span, what it waited for afterwards included; null while it lasts.',
    workMs: 'Time at work.',
    waitMs: 'Time parked, for approval for example.',
    queuedMs: 'Time queued.',
    lastOutput: 'What its agent wrote last, where its newest session failed.',
  },
);
export type VisitTimes = Type.Static<typeof VisitTimes>;

/** Reply of GET /jobs/:jobId/timeline: where a job's time went. */
export const JobTimeline = describeMembers(
  Type.Object({
    at: IsoTime,
    phases: Type.Array(Type.String()),
    visits: Type.Array(VisitTimes),
    spans: Type.Array(TimelineSpan),
    sessions: Type.Array(TimelineSession),
    restarts: Type.Array(IsoTime),
    running: nullable(
      Type.Object({ since: IsoTime, visit: Type.Integer(), lastLine: nullable(LogFrame) }),
    ),
  }),
  {
    at: "The runner's clock at this answer.",
    phases: 'The phases of its workflow, in their order.',
    visits: 'Every visit of a phase, in order.',
    spans: 'All of its life, oldest first, without gaps until it ended.',
    sessions: 'Every session, oldest first.',
    restarts: 'When the runner was started again while the job was at work.',
    running: 'What is at work now: since when, and the last line of output; null while nothing is.',
  },
);
export type JobTimeline = Type.Static<typeof JobTimeline>;
