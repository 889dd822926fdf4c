/** Event key of a resume that names none. */
export const MANUAL_RESUME = 'manual-resume';

/** Event keys of a resume that approve a checkpoint. */
export const APPROVING_KEYS: readonly string[] = ['approve', MANUAL_RESUME];

/** The event key that sends a phase back. */
export const REJECT = 'reject';
