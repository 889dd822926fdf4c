/** Of a normal distribution: 95 % lie above minus this. */
const Z = 1.6449;

/**
 * What a share is at least, with 95 % confidence: the lower bound of Wilson's interval. It stays
 * honest with few: 10 of 10 are 0.79. `of`: more than none.
 */
export function computeWilsonBound(right: number, of: number): number {
  const share = right / of;
  const z2 = Z * Z;
  const centre = share + z2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return Math.max(0, (centre - spread) / (1 + z2 / of));
}

/** A probability that the work is good, and whether it was. */
export interface Prediction {
  goal: number;
  good: boolean;
}

/** Mean squared error; 0 is best. null = no prediction was made. */
export const computeBrierScore = (predictions: readonly Prediction[]): number | null =>
  predictions.length === 0
    ? null
    : predictions.reduce((sum, { goal, good }) => sum + (goal - Number(good)) ** 2, 0) /
      predictions.length;

/** The score of always answering with the share of good work; null = no prediction was made. */
export function computeBaseRateScore(predictions: readonly Prediction[]): number | null {
  const share = predictions.filter(({ good }) => good).length / predictions.length;
  return predictions.length === 0 ? null : share * (1 - share);
}

/** The value that this part of the values, 0 to 1, does not exceed; null = no value. */
export function computePercentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}
