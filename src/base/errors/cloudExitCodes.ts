/** Exit code of a command that was refused, or not confirmed, because the control plane does not answer. */
export const CLOUD_AWAY_EXIT_CODE = 10;
/** Exit code of a runner whose jobs another runner of the team continues; a service does not start it again. */
export const FENCED_EXIT_CODE = 11;
