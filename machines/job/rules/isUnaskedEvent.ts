import type { JobContext } from '../jobContext.ts';

/**
 * Reported each time all checks are green, which is too often for a job that has not asked for it.
 */
const BY_NAME_ONLY = 'check_passed';

/**
 * Whether an event of this kind is ignored: its kind has to be asked for
 * by name, and neither what the job waits for (or has just been woken from) nor what its session
 * has asked to wait for names it.
 */
export const isUnaskedEvent = (
  kind: string,
  { awaited, signals }: Pick<JobContext, 'awaited' | 'signals'>,
): boolean =>
  kind === BY_NAME_ONLY &&
  ![awaited?.kinds, signals.await?.kinds].some((kinds) => kinds?.includes(kind) === true);
