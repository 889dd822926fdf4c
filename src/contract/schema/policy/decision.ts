import Type from 'typebox';
import { closed } from '../kit/schemaKit.ts';

const buildProbabilitySchema = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description });

/** Where the decision layer is asked; see docs/concepts/decision-layer.md. */
export const DECISION_SITES = [
  'overseer',
  'wake-gate',
  'lane',
  'input-screen',
  'review-lens',
] as const;
export type DecisionSite = (typeof DECISION_SITES)[number];

/** What a phase was rated with after its session: the four answers. */
export const OverseerAnswers = Type.Object(
  {
    requirement: Type.Object(
      {
        choice: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Id of the obligation that looks unmet, or `none`.',
        }),
        confidence: buildProbabilitySchema('How sure that is.'),
      },
      closed,
    ),
    goal: Type.Object(
      { probability: buildProbabilitySchema('That the work still serves the stated objective.') },
      closed,
    ),
    seriousness: Type.Object(
      {
        score: Type.Number({
          minimum: 0,
          maximum: 3,
          description:
            '0 cosmetic, 1 worth a look, 2 a developer should review, 3 the run should stop.',
        }),
      },
      closed,
    ),
    stuck: Type.Object(
      {
        probability: buildProbabilitySchema(
          'That the agent waits for something it cannot resolve itself.',
        ),
      },
      closed,
    ),
  },
  closed,
);
export type OverseerAnswers = Type.Static<typeof OverseerAnswers>;

/** What a decider answers with: no more than this is read of it. */
export const DecisionReply = Type.Object(
  {
    id: Type.String({ description: 'The id of the question.' }),
    model: Type.String({ description: 'The model that has answered.' }),
    answers: Type.Record(Type.String(), Type.Unknown(), { description: 'One for each question.' }),
    usage: Type.Optional(
      Type.Object(
        { inputTokens: Type.Integer({ minimum: 0 }), outputTokens: Type.Integer({ minimum: 0 }) },
        closed,
      ),
    ),
  },
  closed,
);
export type DecisionReply = Type.Static<typeof DecisionReply>;

/** When a phase is flagged; `decision.overseer.thresholds` of the configuration. */
export interface FlagThresholds {
  offTrackNoul: number;
  severityScore: number;
  minChoiceConfidence: number;
}

/** Under which rules a phase is rated: those in force when its session ended. */
export interface RatingTerms {
  mode: 'shadow' | 'live';
  onFlag: 'park' | 'flag-only';
  thresholds: FlagThresholds;
  provider: string;
  /** The pinned model. */
  model: string;
  /** As the record names it, with its prompt; left out = as it is. */
  recordedModel?: string;
  /** Longest wait for the provider, ms. */
  timeoutMs: number;
}

/** What came of rating a phase, as it is committed. */
export interface CommittedRating {
  obligations: readonly { id: string; text: string }[];
  digestVersion: number;
  /** Hash of the digest. */
  digestSha: string;
  /** What it was made of beside rows. */
  seen: Readonly<Record<string, unknown>>;
  /** From the question to its outcome. */
  ms: number;
  /** `skipped`: why there is no rating, for people. */
  outcome: { answers: OverseerAnswers } | { skipped: string };
}

/** How a job's files differ from the branch that it is based on. */
export interface ChangedFiles {
  /** How many there are. */
  count: number;
  added: number;
  removed: number;
  /** The first of them by path; at most 20. */
  files: { path: string; added: number; removed: number }[];
}
