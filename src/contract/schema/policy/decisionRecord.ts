import Type from 'typebox';
import { DECISION_SITES } from './decision.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { nullable } from '../kit/nullable.ts';

const Rating = describeMembers(
  Type.Object({
    goal: Type.Number(),
    unmet: nullable(Type.String()),
    unmetConfidence: nullable(Type.Number()),
    seriousness: Type.Number(),
    stuck: Type.Number(),
  }),
  {
    goal: 'Probability that the work serves the objective.',
    unmet: 'The obligation that looks unmet; null = none.',
    unmetConfidence: 'How sure that is.',
    seriousness: '0 cosmetic to 3, the run should stop.',
    stuck: 'Probability that the agent waits for something that it cannot resolve.',
  },
);

/** What came of one question to the decision layer. */
export const DecisionRecord = describeMembers(
  Type.Object({
    key: Type.String(),
    site: Type.Enum([...DECISION_SITES]),
    at: IsoTime,
    phase: Type.String(),
    visit: Type.Integer(),
    mode: Type.Enum(['shadow', 'live']),
    provider: Type.String(),
    model: Type.String(),
    rating: nullable(Rating),
    skipped: nullable(Type.String()),
    flag: nullable(Type.String()),
    paused: Type.Boolean(),
    ms: nullable(Type.Integer()),
    digest: nullable(Type.String()),
  }),
  {
    key: 'Its name within the job.',
    site: 'Where it was asked.',
    at: 'When it was recorded.',
    phase: 'The phase that is rated.',
    visit: 'Which visit of it.',
    mode: 'shadow: it only observes; live: it may pause the job.',
    provider: 'The decider that was asked.',
    model: 'The pinned model.',
    rating: 'The answers; null = no rating.',
    skipped: 'Why no rating exists; null = one does.',
    flag: 'Why the phase is flagged; null = it is not.',
    paused: 'Whether the job was paused for it.',
    ms: 'How long the answer took, in milliseconds; null = nothing was asked.',
    digest: 'SHA-256 of what the decider was shown.',
  },
);
export type DecisionRecord = Type.Static<typeof DecisionRecord>;
