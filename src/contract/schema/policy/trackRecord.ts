import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { DEFAULT_TRACK_RECORD_SINCE } from '../../../base/time/reportSince.ts';
import { DECISION_SITES } from './decision.ts';
import { DecisionOutcome } from './decisionEntry.ts';

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
  closed,
);
export type TrackRecordQuery = Type.Static<typeof TrackRecordQuery>;

/** How one model did at one place. */
export const RatedBy = Type.Object({
  site: Type.Enum([...DECISION_SITES], { description: 'Where it was asked.' }),
  provider: Type.String({ description: 'The decider.' }),
  model: Type.String({ description: 'The pinned model.' }),
  digestVersion: nullable(Type.Integer(), 'Form of what it was shown; null = it was never asked.'),
  current: Type.Boolean({ description: 'Whether this is what is configured now.' }),
  asked: Type.Integer({ description: 'How often it was to be asked.' }),
  skipped: Type.Integer({ description: 'How often no answer came of it.' }),
  skips: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
    description: 'Why not, the most frequent first.',
  }),
  good: Type.Integer({ description: 'Ratings of work that turned out good.' }),
  bad: Type.Integer({ description: 'Ratings of work that turned out bad.' }),
  flags: Type.Integer({ description: 'How many it has flagged.' }),
  flagsKnown: Type.Integer({ description: 'Flags with a known outcome.' }),
  flagsRight: Type.Integer({ description: 'Of those, the ones where it turned out bad.' }),
  precision: describe(Share, 'Part of the known flags that were right; null = none is known.'),
  precisionBound: describe(
    Share,
    'What that is at least, with 95 % confidence (lower Wilson bound); null = none is known.',
  ),
  recall: describe(Share, 'Part of the bad work that was flagged; null = none turned out bad.'),
  brier: describe(
    Share,
    'Mean squared error of its probabilities, 0 is best; null = no outcome is known.',
  ),
  baseBrier: describe(Share, 'The same for one that always answers with the share of good work.'),
  p50: nullable(
    Type.Integer(),
    'Milliseconds within which half of the answers came; null = none came.',
  ),
  p95: nullable(Type.Integer(), 'Milliseconds within which 95 % of them came.'),
  missing: Type.Array(Type.String(), {
    description: 'What it takes for it to be proven, in words; empty = it is proven.',
  }),
});
export type RatedBy = Type.Static<typeof RatedBy>;

/** Reply of GET /decisions/track-record. */
export const TrackRecord = Type.Object({
  since: describe(IsoTime, 'When it begins.'),
  mode: Type.Enum(['off', 'shadow', 'live'], { description: 'How phases are rated now.' }),
  provider: Type.String({ description: 'The provider that is configured now.' }),
  model: Type.String({ description: 'The model that is pinned now.' }),
  missing: Type.Array(Type.String(), {
    description:
      'What the present provider and model lack to be proven, in words; empty = nothing.',
  }),
  ratedBy: Type.Array(RatedBy, {
    description: 'One for each place, provider, model and form of digest; the present one first.',
  }),
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
    {
      description:
        'Flags of phases, the newest first, at most 100: each has paused its job or would have.',
    },
  ),
  of: Type.Integer({ description: 'How many records there are since then.' }),
  counted: Type.Integer({ description: 'How many of them were counted: the newest.' }),
});
export type TrackRecord = Type.Static<typeof TrackRecord>;
