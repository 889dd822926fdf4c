/** How many cut answers in a row end the turn. */
export const MAX_CUTS = 3;

/** The prompt for a model whose answer was cut. */
export const CONTINUE_ANSWER =
  '[limit] Your answer was cut off at its maximum length. Continue where it stopped.';
