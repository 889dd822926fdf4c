/** Wait for an agent's acknowledgement before the interrupt is repeated, ms. */
export const ACK_MS = 5_000;
/** From the first interrupt, ms: afterwards the message waits until the turn ends by itself. */
export const GIVE_UP_MS = 10_000;
/** Longest check of the tool server, with calls held, ms. */
export const HEAL_MS = 10_000;
/** Most turns in a row continued without a new message; then the input closes. */
export const MAX_NUDGES = 10;
