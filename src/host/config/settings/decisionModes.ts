/**
 * How the decision layer works: not at all, watching, or also pausing jobs. Apart from the
 * section's schema: the environment is read by every command, and the library of schemas takes
 * longer to load than most of them run.
 */
export const DECISION_MODES = ['off', 'shadow', 'live'] as const;
