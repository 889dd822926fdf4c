/** The newest runs of a workflow that are counted. */
export const MAX_COUNTED_RUNS = 100;
/** The newest visits of phases of each run that are counted. */
export const MAX_COUNTED_VISITS = 200;
/** Kinds of transitions in one reply, those taken most often first. */
export const MAX_COUNTED_TRANSITIONS = 1_000;
