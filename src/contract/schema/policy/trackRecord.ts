import Type from 'typebox';
import { DEFAULT_TRACK_RECORD_SINCE } from '../../../shared/time/reportSince.ts';
import { DECISION_SITES } from './decision.ts';
import { DecisionOutcome } from './decisionEntry.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { nullable } from '../kit/nullable.ts';

const Share = nullable(Type.Number());

/** Query of GET /decisions/track-record. */
export const TrackRecordQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: DEFAULT_TRACK_RECORD_SINCE,
        description: 'Start of the period: a date or an age, such as 12h or 30d.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type TrackRecordQuery = Type.Static<typeof TrackRecordQuery>;

/** How one model did at one place. */
export const RatedBy = describeMembers(
  Type.Object({
    site: Type.Enum([...DECISION_SITES]),
    provider: Type.String(),
    model: Type.String(),
    digestVersion: nullable(Type.Integer()),
    current: Type.Boolean(),
    asked: Type.Integer(),
    skipped: Type.Integer(),
    skips: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
    good: Type.Integer(),
    bad: Type.Integer(),
    flags: Type.Integer(),
    flagsKnown: Type.Integer(),
    flagsRight: Type.Integer(),
    precision: Share,
    precisionBound: Share,
    recall: Share,
    brier: Share,
    baseBrier: Share,
    p50: nullable(Type.Integer()),
    p95: nullable(Type.Integer()),
    missing: Type.Array(Type.String()),
  }),
  {
    site: 'Where it was asked.',
    provider: 'The decider.',
    model: 'The pinned model.',
    digestVersion: 'Form of what it was shown; null = it was never asked.',
    current: 'Whether this is what is configured now.',
    asked: 'How often it was to be asked.',
    skipped: 'How often no answer came of it.',
    skips: 'Why not, the most frequent first.',
    good: 'Ratings of work that turned out good.',
    bad: 'Ratings of work that turned out bad.',
    flags: 'How many it has flagged.',
    flagsKnown: 'Flags with a known outcome.',
    flagsRight: 'Of those, the ones where it turned out bad.',
    precision: 'Part of the known flags that were right; null = none is known.',
    precisionBound:
      'What that is at least, with 95 % confidence (lower Wilson bound); null = none is known.',
    recall: 'Part of the bad work that was flagged; null = none turned out bad.',
    brier: 'Mean squared error of its probabilities, 0 is best; null = no outcome is known.',
    baseBrier: 'The same for one that always answers with the share of good work.',
    p50: 'Milliseconds within which half of the answers came; null = none came.',
    p95: 'Milliseconds within which 95 % of them came.',
    missing: 'What it takes for it to be proven, in words; empty = it is proven.',
  },
);
export type RatedBy = Type.Static<typeof RatedBy>;

/** Reply of GET /decisions/track-record. */
export const TrackRecord = describeMembers(
  Type.Object({
    since: IsoTime,
    mode: Type.Enum(['off', 'shadow', 'live']),
    provider: Type.String(),
    model: Type.String(),
    missing: Type.Array(Type.String()),
    ratedBy: Type.Array(RatedBy),
    pauses: Type.Array(
      Type.Object({
        jobId: Type.String(),
        key: Type.String(),
        at: IsoTime,
        phase: Type.String(),
        flag: Type.String(),
        paused: Type.Boolean(),
        outcome: nullable(DecisionOutcome),
      }),
    ),
    of: Type.Integer(),
    counted: Type.Integer(),
  }),
  {
    since: 'When it begins.',
    mode: 'How phases are rated now.',
    provider: 'The provider that is configured now.',
    model: 'The model that is pinned now.',
    missing: 'What the present provider and model lack to be proven, in words; empty = nothing.',
    ratedBy: 'One for each place, provider, model and form of digest; the present one first.',
    pauses:
      'Flags of phases, the newest first, at most 100: each has paused its job or would have.',
    of: 'How many records there are since then.',
    counted: 'How many of them were counted: the newest.',
  },
);
export type TrackRecord = Type.Static<typeof TrackRecord>;
