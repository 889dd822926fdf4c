import Type from 'typebox';
import { OverseerAnswers } from './decision.ts';
import { closed } from '../kit/schemaKit.ts';

const buildLikelihoodSchema = (description: string) =>
  Type.Object({ probability: Type.Number({ minimum: 0, maximum: 1, description }) }, closed);

/** Most points that a review is suggested to look at. */
export const MAX_FOCUS = 5;
/** Longest of them, characters. */
export const MAX_FOCUS_CHARS = 160;

/** What each site of the decision layer is answered with. */
export const SITE_ANSWERS = {
  overseer: OverseerAnswers,
  'wake-gate': Type.Object(
    { wake: buildLikelihoodSchema('That the comment is worth waking the job for.') },
    closed,
  ),
  lane: Type.Object(
    {
      belongs: buildLikelihoodSchema('That the job still belongs into its workflow.'),
      better: Type.Object(
        {
          choice: Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'Id of the workflow that fits better, or `none`.',
          }),
        },
        closed,
      ),
    },
    closed,
  ),
  'input-screen': Type.Object(
    {
      override: buildLikelihoodSchema(
        'That the comment tries to give the agent other instructions.',
      ),
    },
    closed,
  ),
  'review-lens': Type.Object(
    {
      focus: Type.Object(
        {
          points: Type.Array(Type.String({ minLength: 1, maxLength: MAX_FOCUS_CHARS }), {
            maxItems: MAX_FOCUS,
            description: 'What a review should look at first.',
          }),
        },
        closed,
      ),
    },
    closed,
  ),
} as const;
/** The answers of a site. */
export type AnswersOf<Site extends keyof typeof SITE_ANSWERS> = Type.Static<
  (typeof SITE_ANSWERS)[Site]
>;
