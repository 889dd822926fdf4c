/** Percentages from which on a rating has a label. */
export const ON_TRACK = 70;
export const NEEDS_A_LOOK = 40;

export interface RatingWords {
  /** 0 to 100. */
  percent: number;
  label: 'On track' | 'Needs a look' | 'Off track';
}

/** `goal`: probability that the work serves the objective. */
export function labelRating(goal: number): RatingWords {
  const percent = Math.round(goal * 100);
  if (percent >= ON_TRACK) return { percent, label: 'On track' };
  return { percent, label: percent >= NEEDS_A_LOOK ? 'Needs a look' : 'Off track' };
}

/** Probability from which on the agent looks stuck. */
const STUCK = 0.75;

/** What a rating says beside its label, in plain words: a sentence each. */
export function describeRatingNotes({
  unmet,
  stuck,
}: {
  unmet: string | null;
  stuck: number;
}): string[] {
  return [
    unmet === null
      ? 'Every requirement of the phase looks met.'
      : `A requirement looks unmet: ${unmet}`,
    stuck >= STUCK
      ? 'The agent may be waiting for something that it cannot resolve.'
      : 'The agent does not look stuck.',
  ];
}

/** A rating in a line, such as `On track, 84 %`; or why the phase was not rated. */
export function formatRatingLine({
  rating,
  skipped,
}: {
  rating: { goal: number } | null;
  skipped: string | null;
}): string {
  if (rating === null) return `Not rated: ${skipped ?? 'nothing was asked about the phase'}`;
  const { label, percent } = labelRating(rating.goal);
  return `${label}, ${percent} %`;
}
