/**
 * Characters that turn the direction of the text behind them: embeddings, overrides and isolates.
 * Marks, which only have a direction of their own, are left: right-to-left texts need them.
 */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A text of others as it really is: a character that would show what follows in another order is
 * shown by its number, such as `[U+202E]`, and has no effect.
 */
export const revealTurningCharacters = (text: string): string =>
  text.replace(
    TURNING,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
