import type { RatedBy } from '../../src/schema/trackRecord.ts';
import { count } from '../jobs/jobText.ts';

const UNKNOWN = 'not known yet';

const share = (value: number | null): string =>
  value === null ? UNKNOWN : `${Math.round(value * 100)} %`;

/** Figures of a track record, each with its name; what is not known is named so. */
export function figuresText(of: RatedBy): readonly (readonly [name: string, figure: string])[] {
  const { flagsKnown, flagsRight, precision, precisionBound, brier, baseBrier, p50, p95 } = of;
  return [
    ['Asked', count(of.asked)],
    ['Without an answer', count(of.skipped)],
    ['Turned out good', count(of.good)],
    ['Turned out bad', count(of.bad)],
    ['Flags', `${count(of.flags)}, outcome known of ${count(flagsKnown)}`],
    [
      'Right flags',
      precision === null
        ? UNKNOWN
        : `${share(precision)} (${count(flagsRight)} of ${count(flagsKnown)}), for sure ${share(precisionBound)}`,
    ],
    ['Bad work flagged', share(of.recall)],
    [
      'Brier score',
      brier === null || baseBrier === null
        ? UNKNOWN
        : `${brier.toFixed(2)}; baseline ${baseBrier.toFixed(2)}`,
    ],
    ['Time', p50 === null || p95 === null ? UNKNOWN : `${p50} ms; 95 % within ${p95} ms`],
  ];
}
