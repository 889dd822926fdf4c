/** A step of a path that is drawn over a chart. */
export interface TrailStep {
  /** Path of the state. */
  path: string;
  /** When it was reached, or how long it took; null = not known. */
  time: string | null;
}

/** Steps of one state that are written out; the others are counted. */
const MAX_WRITTEN_STEPS = 3;

const joinSteps = (
  trail: readonly TrailStep[],
  path: string,
  formatStep: (number: number, time: string | null) => string,
): string => {
  const steps = trail.flatMap((step, index) =>
    step.path === path ? [formatStep(index + 1, step.time)] : [],
  );
  const more = steps.length - MAX_WRITTEN_STEPS;
  return [...steps.slice(0, MAX_WRITTEN_STEPS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/** `1 · 5 s, 3 · 2 min`: the places of a state in a path, with their times; empty = it is not part of it. */
export const formatTrailSteps = (trail: readonly TrailStep[], path: string): string =>
  joinSteps(trail, path, (number, time) => (time === null ? `${number}` : `${number} · ${time}`));

/** The same as a clause, for names that are read aloud. */
export const describeTrailSteps = (trail: readonly TrailStep[], path: string): string => {
  const steps = joinSteps(trail, path, (number, time) =>
    time === null ? `step ${number}` : `step ${number} (${time})`,
  );
  return steps === '' ? '' : `${steps} of the path`;
};
