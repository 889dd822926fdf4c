import type { JobContext } from '../jobContext.ts';

/** Reported whenever all checks are green: too often for a job that has not asked for it. */
const BY_NAME_ONLY = 'check_passed';

/**
 * Whether an event is ignored: its kind must be asked for by name, and neither the present or last
 * wait nor the session's requested wait names it.
 */
export const isUnaskedEvent = (
  kind: string,
  { awaited, signals }: Pick<JobContext, 'awaited' | 'signals'>,
): boolean =>
  kind === BY_NAME_ONLY &&
  ![awaited?.kinds, signals.await?.kinds].some((kinds) => kinds?.includes(kind) === true);
