import type {
  CommittedRating,
  RatingTerms,
  OverseerAnswers,
} from '../../../src/contract/schema/policy/decision.ts';
import { goodAnswers } from '../decisions/aQuestion.ts';

/** Manage, with the thresholds of the specification. */
export const MANAGE: RatingTerms = {
  mode: 'live',
  onFlag: 'park',
  thresholds: { offTrackNoul: 0.75, severityScore: 1.5, minChoiceConfidence: 0.5 },
  provider: 'rules',
  model: 'decider-1.13.0',
  timeoutMs: 1500,
};

export const OBSERVE: RatingTerms = { ...MANAGE, mode: 'shadow' };

export const FAR_OFF: OverseerAnswers = { ...goodAnswers, goal: { probability: 0.2 } };

export const createRating = (outcome: CommittedRating['outcome']): CommittedRating => ({
  obligations: [{ id: 'o1', text: 'The tests pass.' }],
  digestVersion: 1,
  digestSha: '0'.repeat(64),
  seen: {},
  ms: 40,
  outcome,
});
