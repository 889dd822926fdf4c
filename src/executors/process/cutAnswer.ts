/** Answers in a row that may be cut at their longest length before the turn is over. */
export const MAX_CUTS = 3;

/** What a model whose answer was cut is asked. */
export const CONTINUE_ANSWER =
  '[limit] Your answer was cut off at its maximum length. Continue where it stopped.';
