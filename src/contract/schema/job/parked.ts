import Type from 'typebox';
import { DetectedLoop } from '../session/detectedLoop.ts';
import { describe, IsoTime } from '../kit/schemaKit.ts';
import { Exceeded } from '../policy/exceeded.ts';

/** Why a job is paused, where no person has paused it alone. */
export const PauseCause = Type.Enum(['until', 'stop-all']);
export type PauseCause = Type.Static<typeof PauseCause>;

/** What each of them means. */
const PAUSE_CAUSE =
  'Only with paused: `until`, its unattended time is over; `stop-all`, it was paused with every other job. Omitted: a person paused this job.';

export const ParkKind = Type.Union([
  Type.Literal('approval'),
  Type.Literal('event'),
  Type.Literal('developer'),
  Type.Literal('paused'),
  Type.Literal('subRuns'),
  Type.Literal('halted'),
  /** The model's endpoint takes no more requests for a while; the job continues by itself. */
  Type.Literal('quota'),
  /** A budget is spent; the job continues with the next window, or when a person raises it. */
  Type.Literal('budget'),
  /** What it needs is not there, which svc can see for itself; the job tries again by itself. */
  Type.Literal('outage'),
  /** Something outside of svc that a person reports, by a resume or a message. */
  Type.Literal('external'),
  /** The decision layer has flagged the phase; a person continues it, or runs the phase again. */
  Type.Literal('flagged'),
]);
export type ParkKind = Type.Static<typeof ParkKind>;

/**
 * Why a job is parked; null in the job while it is not. `until`: when it continues by itself, with
 * `quota`, `outage`, and `budget` of a day or week.
 */
export const Parked = Type.Object({
  kind: describe(ParkKind, 'What it waits for.'),
  since: describe(IsoTime, 'Since when.'),
  reason: Type.String({ description: 'What it waits for, in words.' }),
  until: Type.Optional(
    describe(
      IsoTime,
      'When it continues by itself; only with quota, outage, and the budget of a day or week. Left out with quota: when a person has paid or repaired the account.',
    ),
  ),
  needsPerson: Type.Optional(
    Type.Literal(true, {
      description:
        'A person has to repair what the reason names; the job then continues by itself. Only with outage, with subRuns where the job of a sub-run cannot be created, and with event where what it waits for cannot come as things are; left out = it comes by itself.',
    }),
  ),
  exceeded: Type.Optional(describe(Exceeded, 'The budget that is spent; only with budget.')),
  pool: Type.Optional(
    Type.String({
      description: 'The account whose limit holds it, as in `GET /accounts`; only with quota.',
    }),
  ),
  circle: Type.Optional(
    describe(DetectedLoop, 'The loop without progress; only with developer, for that reason.'),
  ),
  cause: Type.Optional(describe(PauseCause, PAUSE_CAUSE)),
});
export type Parked = Type.Static<typeof Parked>;
