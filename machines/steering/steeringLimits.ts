/** How long an agent may take to acknowledge an interrupt before it is asked again, ms. */
export const ACK_MS = 5_000;
/**
 * After this, counted from the first interrupt, the message stays queued until the turn ends by
 * itself, ms.
 */
export const GIVE_UP_MS = 10_000;
/** Longest look after the tool server; calls are held meanwhile, ms. */
export const HEAL_MS = 10_000;
/** Turns in a row that are asked to continue without a new message; then the input closes. */
export const MAX_NUDGES = 10;
