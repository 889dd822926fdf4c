import type { Estimate } from '../../src/schema/estimate.ts';
import { toPrintableLine } from './toPrintable.ts';

/** An estimate, a line for each sentence. */
export const formatEstimate = ({ text }: Estimate): string =>
  text.map((sentence) => `${toPrintableLine(sentence)}\n`).join('');
