import type { Estimate } from '../../../src/contract/schema/policy/estimate.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** An estimate, a line for each sentence. */
export const formatEstimate = ({ text }: Estimate): string =>
  text.map((sentence) => `${toPrintableLine(sentence)}\n`).join('');
