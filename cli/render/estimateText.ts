import type { Estimate } from '../../src/schema/estimate.ts';
import { printableLine } from './printable.ts';

/** An estimate, a line for each sentence. */
export const estimateText = ({ text }: Estimate): string =>
  text.map((sentence) => `${printableLine(sentence)}\n`).join('');
