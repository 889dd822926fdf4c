import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { isTemporary } from '../../base/errors/temporaryCodes.ts';
import { toThrownFault } from '../../base/errors/toThrownFault.ts';
import { isRepairable, SvcError } from '../../base/errors/errors.ts';

/** Whether an error ends a session, because opening it again at once would fail the same way. */
export const isHindrance = (error: unknown): error is Error =>
  error instanceof SvcError
    ? error.code !== 'stopping'
    : error instanceof Error && toThrownFault(error) === 'not-written';

/** The fault for an error that was thrown while a session was opened or played. */
export function toSessionFault(error: Error): SessionFault {
  if (error instanceof SvcError && isTemporary(error.code)) return 'unreachable';
  return isRepairable(error) ? 'not-written' : toThrownFault(error);
}
