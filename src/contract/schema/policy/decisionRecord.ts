import Type from 'typebox';
import { DECISION_SITES } from './decision.ts';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';

const Rating = Type.Object({
  goal: Type.Number({ description: 'Probability that the work serves the objective.' }),
  unmet: nullable(Type.String(), 'The obligation that looks unmet; null = none.'),
  unmetConfidence: nullable(Type.Number(), 'How sure that is.'),
  seriousness: Type.Number({ description: '0 cosmetic to 3, the run should stop.' }),
  stuck: Type.Number({
    description: 'Probability that the agent waits for something that it cannot resolve.',
  }),
});

/** What came of one question to the decision layer. */
export const DecisionRecord = Type.Object({
  key: Type.String({ description: 'Its name within the job.' }),
  site: Type.Enum([...DECISION_SITES], { description: 'Where it was asked.' }),
  at: describe(IsoTime, 'When it was recorded.'),
  phase: Type.String({ description: 'The phase that is rated.' }),
  visit: Type.Integer({ description: 'Which visit of it.' }),
  mode: Type.Enum(['shadow', 'live'], {
    description: 'shadow: it only observes; live: it may pause the job.',
  }),
  provider: Type.String({ description: 'The decider that was asked.' }),
  model: Type.String({ description: 'The pinned model.' }),
  rating: nullable(Rating, 'The answers; null = no rating.'),
  skipped: nullable(Type.String(), 'Why no rating exists; null = one does.'),
  flag: nullable(Type.String(), 'Why the phase is flagged; null = it is not.'),
  paused: Type.Boolean({ description: 'Whether the job was paused for it.' }),
  ms: nullable(
    Type.Integer(),
    'How long the answer took, in milliseconds; null = nothing was asked.',
  ),
  digest: nullable(Type.String(), 'SHA-256 of what the decider was shown.'),
});
export type DecisionRecord = Type.Static<typeof DecisionRecord>;
