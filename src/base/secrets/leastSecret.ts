/**
 * Fewest characters of a secret that is searched for. Shorter ones occur within words: removing
 * them would garble every text, and the gaps would reveal them. The configuration warns of a
 * shorter one.
 */
export const LEAST_SECRET_CHARS = 6;

export const isScreened = ({ length }: string): boolean => length >= LEAST_SECRET_CHARS;
