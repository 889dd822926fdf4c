import type { RatingWords } from '../../src/shared/jobs/labelRating.ts';
import type { Tone } from './jobText.ts';

/** Colours of the labels. */
export const RATING_TONES: Readonly<Record<RatingWords['label'], Tone>> = {
  'On track': 'good',
  'Needs a look': 'waiting',
  'Off track': 'bad',
};
