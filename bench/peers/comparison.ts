import { median } from '../statistics.ts';
import type { Target } from './figures.ts';

/** Values by contender, one for each round; NaN where a round failed. */
export type Rounds = Readonly<Record<string, readonly number[]>>;

export interface ComparedValues {
  median: number;
  min: number;
  max: number;
  /**
   * svc / this one: the median of the ratios of the rounds, each of which measured both within
   * minutes; null = it is svc, or it was not measured.
   */
  ratio: number | null;
}

export type TargetOutcome = 'aim' | 'must' | 'missed' | 'not measured';

export interface Verdict extends Target {
  ratio: number | null;
  reached: TargetOutcome;
}

const OWN = 'svc';

/** What the rounds of one figure say of each contender. Rounds that failed do not count. */
export function compare(rounds: Rounds): Record<string, ComparedValues> {
  const own = rounds[OWN] ?? [];
  return Object.fromEntries(
    Object.entries(rounds).map(([name, all]) => {
      const values = all.filter(Number.isFinite);
      const ratios = all.map((value, n) => (own[n] ?? Number.NaN) / value).filter(Number.isFinite);
      const compared: ComparedValues = {
        median: median(values),
        min: values.length > 0 ? Math.min(...values) : Number.NaN,
        max: values.length > 0 ? Math.max(...values) : Number.NaN,
        ratio: name === OWN || ratios.length === 0 ? null : median(ratios),
      };
      return [name, compared];
    }),
  );
}

/** Whether a target is reached by a ratio; an edge belongs to what it reaches. */
export function judge(target: Target, ratio: number | null): Verdict {
  const meets = (limit: number): boolean =>
    ratio !== null && (target.better === 'more' ? ratio >= limit : ratio <= limit);
  const measured = meets(target.aim) ? 'aim' : meets(target.must) ? 'must' : 'missed';
  return { ...target, ratio, reached: ratio === null ? 'not measured' : measured };
}
