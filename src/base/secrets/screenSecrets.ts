/**
 * Fewest characters of a secret that is searched for. Shorter ones occur within words: removing
 * them would garble every text, and the gaps would reveal them. The configuration warns of a
 * shorter one.
 */
export const LEAST_SECRET_CHARS = 6;

export const isScreened = ({ length }: string): boolean => length >= LEAST_SECRET_CHARS;

/** Replaces a secret in a text. */
const SCREENED = '[secret]';

/** Makes a function that screens known secrets; those below `LEAST_SECRET_CHARS` are left out. */
export const screenSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const screenedSecrets = secrets.filter(isScreened);
  return (text) =>
    screenedSecrets.reduce(
      (screenedText, secret) => screenedText.replaceAll(secret, SCREENED),
      text,
    );
};

/** The value with `screen` applied to every text in it, at any depth; names of members stay. */
export function screenTexts(value: unknown, screen: (text: string) => string): unknown {
  if (typeof value === 'string') return screen(value);
  if (Array.isArray(value)) return value.map((item) => screenTexts(item, screen));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, screenTexts(inner, screen)]),
  );
}
