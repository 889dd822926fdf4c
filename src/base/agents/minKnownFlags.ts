/** Flags with a known outcome that a decider needs before it counts as proven. */
export const MIN_KNOWN_FLAGS = 20;
