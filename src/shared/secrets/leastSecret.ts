/**
 * Fewest characters of a secret that is looked for in texts. Shorter ones are parts of words, and
 * are not removed: that would garble every text, and what is left would say what they are. The
 * configuration warns of a shorter one.
 */
export const LEAST_SECRET_CHARS = 6;

/** Whether a secret is long enough to be looked for. */
export const isScreened = ({ length }: string): boolean => length >= LEAST_SECRET_CHARS;
