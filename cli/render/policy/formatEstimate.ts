import type { Estimate } from '../../../src/contract/schema/policy/estimate.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

export const formatEstimate = ({ text }: Estimate): string =>
  text.map((sentence) => `${toPrintableLine(sentence)}\n`).join('');
