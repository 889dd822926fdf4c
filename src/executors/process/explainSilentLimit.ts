/**
 * The error of a session in which nothing was written until its time was over: the program hangs,
 * which a person can find out, so the job waits instead of failing. `timeMs`: the limit, ms.
 */
export const explainSilentLimit = (timeMs: number): string =>
  `The agent wrote nothing in the whole ${timeMs / 1000} s that a session may take (runner.sessionMinutes), so it probably hangs. The session was ended. To see what it waits for, run its program by hand.`;
